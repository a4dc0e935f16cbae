package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The clocks of telemetry: one to date events, which people and servers set, and one to measure, which nobody sets.
package struct TelemetryClock: Sendable {
    /// The date. It may jump in either direction, so nothing is measured with it.
    package var now: @Sendable () -> Date
    /// The time since the machine started, sleep included; the same in every process.
    package var uptime: @Sendable () -> Duration
    /// Waits; ends early with an error when the task is cancelled.
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
                // Counts while the machine sleeps.
                clock_gettime(CLOCK_MONOTONIC, &time)
            #else
                // Linux's CLOCK_MONOTONIC stands still while the machine sleeps; this one does not.
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
