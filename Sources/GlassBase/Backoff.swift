#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Pauses that grow with each repetition up to a longest one, and of which a share is random.
package struct Backoff: Sendable {
    /// The pause before the first repetition.
    package var initialDelay: Duration
    /// The longest pause.
    package var maximumDelay: Duration
    /// What each pause is multiplied by.
    package var multiplier: Double
    /// The share of a pause that is random, from 0 to 1.
    package var jitter: Double

    /// Creates a series of pauses.
    package init(initialDelay: Duration, maximumDelay: Duration, multiplier: Double, jitter: Double) {
        self.initialDelay = initialDelay
        self.maximumDelay = maximumDelay
        self.multiplier = multiplier
        self.jitter = jitter
    }

    /// The pause before a repetition.
    package func pause(beforeRetry retry: Int, random: Double) -> Duration {
        guard initialDelay > .zero else { return .zero }
        let full = initialDelay / .seconds(1) * pow(multiplier, Double(max(retry, 1) - 1))
        // `min` also catches the infinity that a large power becomes. A program may give any numbers, and `Duration` traps on
        // those that it cannot hold.
        let seconds = min(full, maximumDelay / .seconds(1)) * (1 - min(max(jitter, 0), 1) * random)
        return seconds > 0 ? .seconds(seconds) : .zero
    }
}
