package import GlassBase

/// Determines when an app contacts the server again.
package struct RefreshSchedule: Sendable {
    /// The delay after a successful refresh, varied by up to a fifth, so that phones spread over time.
    package var interval: Duration
    /// The delays after failed refreshes, which are fully randomized.
    package var backoff = Backoff(
        initialDelay: .seconds(2), maximumDelay: .seconds(3600), multiplier: 2, jitter: 1)
    /// The longest delay that a server can request.
    package var maximumRetryAfter = Duration.seconds(24 * 3600)

    /// Creates a schedule.
    package init(interval: Duration = .seconds(3600)) {
        self.interval = interval
    }

    /// Returns the time of the next refresh.
    package func next(after now: UpdateTime, failures: Int, retryAfter: Duration?, random: Double) -> UpdateTime {
        var pause =
            failures == 0
            ? interval * (0.8 + 0.4 * random)
            : min(backoff.pause(beforeRetry: failures, random: random), maximumRetryAfter)
        if let retryAfter { pause = max(pause, min(retryAfter, maximumRetryAfter)) }
        return now.adding(seconds: Int(pause.components.seconds))
    }

    /// Whether a refresh is due.
    package func isDue(now: UpdateTime, state: StoredState?) -> Bool {
        guard let next = state?.nextCheck else { return true }
        return now >= next || next > now.adding(seconds: Int(max(maximumRetryAfter, interval * 1.2).components.seconds))
    }
}
