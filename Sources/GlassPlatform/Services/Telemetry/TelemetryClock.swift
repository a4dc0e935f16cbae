package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The clocks of telemetry: one for dates, which users and servers can set, and one for durations, which cannot be set.
package struct TelemetryClock: Sendable {
    /// The date. It can jump in either direction, so it is not used to measure durations.
    package var now: @Sendable () -> Date
    /// The time since the machine started, including sleep. It is the same in every process.
    package var uptime: @Sendable () -> Duration
    /// Waits. Throws early if the task is canceled.
    package var sleep: @Sendable (Duration) async throws -> Void

    /// Creates a clock.
    package init(
        now: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.uptime = uptime
        self.sleep = sleep
    }

    /// The system's clocks.
    package static let system = TelemetryClock(
        now: { Date() },
        uptime: {
            var time = timespec()
            #if canImport(Darwin)
                // Also counts while the machine sleeps.
                clock_gettime(CLOCK_MONOTONIC, &time)
            #else
                // On Linux, CLOCK_MONOTONIC stops while the machine sleeps; CLOCK_BOOTTIME does not.
                clock_gettime(CLOCK_BOOTTIME, &time)
            #endif
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        },
        sleep: { try await Task.sleep(for: $0, clock: .continuous) })
}

extension Duration {
    /// The duration in seconds.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
