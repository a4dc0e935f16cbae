#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The clock that metadata is validated against: the latest of the system time, the build time of the app, and the time
/// of the last successful refresh.
///
/// Setting the device's clock back therefore does not make old metadata valid again. A clock in the future stops
/// refreshes, but not the markets in use.
package struct DeliveryClock: Sendable {
    /// The time at which the app was built.
    package let builtAt: UpdateTime
    private let system: @Sendable () -> UpdateTime

    /// Creates a clock.
    package init(builtAt: UpdateTime, system: @escaping @Sendable () -> UpdateTime = { .system }) {
        self.builtAt = builtAt
        self.system = system
    }

    /// The current time, but not before `verified`.
    package func now(verified: UpdateTime?) -> UpdateTime { max(system(), builtAt, verified ?? builtAt) }

    /// The system time, for comparison with the modification times of files.
    package var systemTime: UpdateTime { system() }
}

extension UpdateTime {
    /// The system time.
    package static var system: UpdateTime { UpdateTime(secondsSince1970: time(nil)) }
}
