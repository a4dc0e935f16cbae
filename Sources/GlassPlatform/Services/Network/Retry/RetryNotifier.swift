import GlassBase

/// An error that knows whether another try may end better.
public protocol RetryableError: Error {
    /// Whether another try may end better.
    ///
    /// - Parameter policy: The policy that applies.
    /// - Returns: True when it may.
    func isRetryable(under policy: RetryPolicy) -> Bool
    /// How long somebody asked to wait before it, if anybody did.
    var retryAfter: Duration? { get }
}

extension NetworkingError: RetryableError {}

/// A failure that is about to be followed by another try.
public struct RetryNotification: Sendable {
    /// The notifier's name.
    public var notifier: String
    /// Which repetition follows, from 1.
    public var retry: Int
    /// How many repetitions there are at most.
    public var maxRetries: Int
    /// The pause before it.
    public var pause: Duration
    /// What failed.
    public var error: any Error

    /// Describes a failure.
    package init(notifier: String, retry: Int, maxRetries: Int, pause: Duration, error: any Error) {
        self.notifier = notifier
        self.retry = retry
        self.maxRetries = maxRetries
        self.pause = pause
        self.error = error
    }
}

/// Runs operations, tries again what failed, and tells who listens about each repetition before its pause.
///
/// ```swift
/// let notifier = factory.makeNotifier(named: "checkout")
/// let order = try await notifier.run { attempt in try await place(order, attempt: attempt) }
/// ```
public final class RetryNotifier: Sendable {
    /// The name, by which remote configuration speaks of it.
    public let name: String
    private let currentPolicy: @Sendable () async -> RetryPolicy
    private let timing: RetryTiming
    private let broadcast = Broadcast<RetryNotification>()

    /// Creates a notifier.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - policy: The policy, asked at the start of each run.
    public convenience init(name: String, policy: @escaping @Sendable () async -> RetryPolicy) {
        self.init(name: name, timing: RetryTiming(), policy: policy)
    }

    /// Creates a notifier.
    package init(name: String, timing: RetryTiming, policy: @escaping @Sendable () async -> RetryPolicy) {
        self.name = name
        self.timing = timing
        currentPolicy = policy
    }

    /// The policy that a run that starts now has.
    package var policy: RetryPolicy {
        get async { await currentPolicy() }
    }

    /// The repetitions from now on.
    ///
    /// - Returns: A stream of the caller's own; it ends with the notifier. Of more than 64 unread ones the oldest are
    ///   dropped.
    public func notifications() -> AsyncStream<RetryNotification> { broadcast.values(limit: 64) }

    /// Runs an operation until it succeeds, fails for good, or the policy is exhausted.
    ///
    /// - Parameter operation: The operation, with the number of the attempt from 1. Whether it may be done twice is the
    ///   caller's to know.
    /// - Returns: What the operation returns.
    /// - Throws: What the last attempt throws. `CancellationError`, and an error that says so itself
    ///   (``RetryableError``), is not tried again; a cancellation during a pause is `CancellationError`.
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
