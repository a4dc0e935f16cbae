package import Foundation
import GlassBase

/// How something that failed is repeated: exponential backoff with jitter, as a market declares it for its requests.
public typealias RetryPolicy = NetworkingConfiguration.Retry

extension RetryPolicy {
    /// Nothing is repeated.
    public static var never: RetryPolicy {
        var policy = RetryPolicy()
        policy.maxRetries = 0
        return policy
    }

    /// Seconds as a duration. A market's were validated; a program may set any number, and `Duration` traps on
    /// values it cannot hold.
    private static func duration(_ seconds: Double) -> Duration { .seconds(seconds > 0 ? min(seconds, 1e9) : 0) }

    /// The pause before a repetition.
    package func pause(beforeRetry retry: Int, random: Double) -> Duration {
        Backoff(
            initialDelay: Self.duration(initialDelaySeconds), maximumDelay: Self.duration(maximumDelaySeconds),
            multiplier: multiplier, jitter: jitter
        ).pause(beforeRetry: retry, random: random)
    }

    /// The pause before a repetition of something that a server answered.
    package func pause(beforeRetry retry: Int, random: Double, retryAfter: Duration?) -> Duration? {
        let own = pause(beforeRetry: retry, random: random)
        guard let retryAfter else { return own }
        return retryAfter > Self.duration(maximumDelaySeconds) ? nil : max(own, retryAfter)
    }
}

/// Time and chance, so that a test decides both.
package struct RetryTiming: Sendable {
    /// What pauses are measured with. Timeouts are always real time.
    package var clock: any Clock<Duration>
    /// A number from 0 up to 1.
    package var random: @Sendable () -> Double
    /// The time of day, which dates in header fields are compared with.
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

    /// How long a server asks to wait (RFC 9110 §10.2.3).
    package func retryAfter(_ headers: HTTPFields) -> Duration? {
        guard let text = headers["Retry-After"]?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Int32(text) { return seconds < 0 ? nil : .seconds(Int(seconds)) }
        return HTTPDate.date(from: text).map { .seconds(max(0, $0.timeIntervalSince(now()))) }
    }
}
