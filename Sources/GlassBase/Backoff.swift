#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Delays that grow with each retry, up to a maximum, and are partly random.
package struct Backoff: Sendable {
    /// The delay before the first retry.
    package var initialDelay: Duration
    /// The maximum delay.
    package var maximumDelay: Duration
    /// The factor between one delay and the next.
    package var multiplier: Double
    /// The random part of a delay, from 0 to 1.
    package var jitter: Double

    /// Creates a series of delays.
    package init(initialDelay: Duration, maximumDelay: Duration, multiplier: Double, jitter: Double) {
        self.initialDelay = initialDelay
        self.maximumDelay = maximumDelay
        self.multiplier = multiplier
        self.jitter = jitter
    }

    /// The delay before a retry.
    package func pause(beforeRetry retry: Int, random: Double) -> Duration {
        guard initialDelay > .zero else { return .zero }
        let full = initialDelay / .seconds(1) * pow(multiplier, Double(max(retry, 1) - 1))
        // `min` also limits a large power, which becomes infinity. Programs may pass any numbers, and `Duration` traps
        // on those that it cannot hold.
        let seconds = min(full, maximumDelay / .seconds(1)) * (1 - min(max(jitter, 0), 1) * random)
        return seconds > 0 ? .seconds(seconds) : .zero
    }
}
