#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The time by which metadata is valid: the latest of what the system says, when the app was built and when the last refresh
/// succeeded.
///
/// Who sets a phone back so brings no old metadata to life. A clock in the future stops refreshes, and nothing that runs.
package struct DeliveryClock: Sendable {
    /// When the app was built.
    package let builtAt: UpdateTime
    private let system: @Sendable () -> UpdateTime

    /// Creates a clock.
    package init(builtAt: UpdateTime, system: @escaping @Sendable () -> UpdateTime = { .system }) {
        self.builtAt = builtAt
        self.system = system
    }

    /// The time.
    package func now(verified: UpdateTime?) -> UpdateTime { max(system(), builtAt, verified ?? builtAt) }

    /// What the system says, for the age of files, which have its times.
    package var systemTime: UpdateTime { system() }
}

extension UpdateTime {
    /// What the system says.
    package static var system: UpdateTime { UpdateTime(secondsSince1970: time(nil)) }
}
