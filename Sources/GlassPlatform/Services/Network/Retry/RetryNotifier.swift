import GlassBase

/// An error that determines whether the operation can be retried.
public protocol RetryableError: Error {
    /// Whether another attempt may succeed.
    ///
    /// - Parameter policy: The policy that applies.
    /// - Returns: `true` if it may succeed.
    func isRetryable(under policy: RetryPolicy) -> Bool
    /// The requested delay before another attempt, if any.
    var retryAfter: Duration? { get }
}

extension NetworkingError: RetryableError {}

/// A failure that will be followed by a retry.
public struct RetryNotification: Sendable {
    /// The notifier's name.
    public var notifier: String
    /// The number of the retry, from 1.
    public var retry: Int
    /// The maximum number of retries.
    public var maxRetries: Int
    /// The delay before the retry.
    public var pause: Duration
    /// The error of the failed attempt.
    public var error: any Error
}

/// Runs operations, retries those that fail, and notifies listeners of each retry before its delay.
///
/// ```swift
/// let notifier = factory.makeNotifier(named: "checkout")
/// let order = try await notifier.run { attempt in try await place(order, attempt: attempt) }
/// ```
public final class RetryNotifier: Sendable {
    /// The name that remote configuration uses for it.
    public let name: String
    private let currentPolicy: @Sendable () async -> RetryPolicy
    private let timing: RetryTiming
    private let broadcast = Broadcast<RetryNotification>()

    /// Creates a notifier.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - policy: Returns the policy. It is called at the start of each run.
    public convenience init(name: String, policy: @escaping @Sendable () async -> RetryPolicy) {
        self.init(name: name, timing: RetryTiming(), policy: policy)
    }

    /// Creates a notifier.
    package init(name: String, timing: RetryTiming, policy: @escaping @Sendable () async -> RetryPolicy) {
        self.name = name
        self.timing = timing
        currentPolicy = policy
    }

    /// The policy for a run that starts now.
    package var policy: RetryPolicy {
        get async { await currentPolicy() }
    }

    /// The retries from now on.
    ///
    /// - Returns: A separate stream, which ends with the notifier. If more than 64 notifications are unread, the oldest
    ///   are dropped.
    public func notifications() -> AsyncStream<RetryNotification> { broadcast.values(limit: 64) }

    /// Runs an operation until it succeeds, fails permanently, or exhausts the policy.
    ///
    /// - Parameter operation: The operation, which gets the number of the attempt, from 1. The caller must ensure that
    ///   it can be repeated.
    /// - Returns: The result of the operation.
    /// - Throws: The error of the last attempt. A `CancellationError`, or a ``RetryableError`` that is not retryable,
    ///   is not retried. Cancellation during a delay throws `CancellationError`.
    public func run<Value: Sendable>(
        _ operation: @Sendable (_ attempt: Int) async throws -> Value
    ) async throws -> Value {
        let policy = await currentPolicy()
        var attempt = 0
        while true {
            attempt += 1
            do {
                return try await operation(attempt)
            } catch {
                let judge = error as? any RetryableError
                guard attempt <= policy.maxRetries, !(error is CancellationError), !Task.isCancelled,
                    judge?.isRetryable(under: policy) ?? true,
                    let pause = policy.pause(
                        beforeRetry: attempt, random: timing.random(), retryAfter: judge?.retryAfter)
                else { throw error }
                broadcast.send(
                    RetryNotification(
                        notifier: name, retry: attempt, maxRetries: policy.maxRetries, pause: pause,
                        error: error))
                try await timing.clock.sleep(for: pause)
            }
        }
    }
}
