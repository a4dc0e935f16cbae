package import Foundation
import GlassBase

/// The policy for retrying failed operations: exponential backoff with jitter, as a market declares it for its
/// requests.
public typealias RetryPolicy = NetworkingConfiguration.Retry

extension RetryPolicy {
    /// A policy without retries.
    public static var never: RetryPolicy {
        var policy = RetryPolicy()
        policy.maxRetries = 0
        return policy
    }

    /// Converts seconds to a duration. The values of a market are validated, but a program may set any number, and
    /// `Duration` traps on values that it cannot represent.
    private static func duration(_ seconds: Double) -> Duration { .seconds(seconds > 0 ? min(seconds, 1e9) : 0) }

    /// The delay before a retry.
    package func pause(beforeRetry retry: Int, random: Double) -> Duration {
        Backoff(
            initialDelay: Self.duration(initialDelaySeconds), maximumDelay: Self.duration(maximumDelaySeconds),
            multiplier: multiplier, jitter: jitter
        ).pause(beforeRetry: retry, random: random)
    }

    /// The delay before a retry after a response of a server; `nil` if the server requests a longer delay than the
    /// policy allows.
    package func pause(beforeRetry retry: Int, random: Double, retryAfter: Duration?) -> Duration? {
        let own = pause(beforeRetry: retry, random: random)
        guard let retryAfter else { return own }
        return retryAfter > Self.duration(maximumDelaySeconds) ? nil : max(own, retryAfter)
    }
}

/// The source of time and randomness, which tests can replace.
package struct RetryTiming: Sendable {
    /// The clock for delays. Timeouts always use real time.
    package var clock: any Clock<Duration>
    /// Returns a number from 0 up to, but not including, 1.
    package var random: @Sendable () -> Double
    /// The current time, to compare with dates in header fields.
    package var now: @Sendable () -> Date

    /// Creates the timing.
    package init(
        clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.clock = clock
        self.random = random
        self.now = now
    }

    /// The delay that a server requests (RFC 9110 §10.2.3).
    package func retryAfter(_ headers: HTTPFields) -> Duration? {
        guard let text = headers["Retry-After"]?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Int32(text) { return seconds < 0 ? nil : .seconds(Int(seconds)) }
        return HTTPDate.date(from: text).map { .seconds(max(0, $0.timeIntervalSince(now()))) }
    }
}
