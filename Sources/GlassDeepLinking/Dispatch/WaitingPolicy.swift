/// How many links may wait for preconditions, and for how long.
public struct WaitingPolicy: Sendable, Equatable {
    /// Which links stay when another one comes.
    public enum Retention: Sendable, Equatable {
        /// All, up to the limit.
        case keepAll
        /// The newest only: earlier ones are reported as displaced.
        case newestOnly
    }

    /// Which links stay when another one comes.
    package let retention: Retention

    /// The most links that wait; the oldest gives way to a new one, since the last tap is what someone wants now.
    package let limit: Int

    /// How long a link waits at most.
    package let expiry: Duration

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - limit: The most links that wait; 32, and at least 1.
    ///   - expiry: How long a link waits at most; five minutes, in which anyone can sign in.
    ///   - retention: Which links stay when another one comes; all.
    public init(limit: Int = 32, expiry: Duration = .seconds(300), retention: Retention = .keepAll) {
        self.limit = max(1, limit)
        self.expiry = expiry
        self.retention = retention
    }
}
