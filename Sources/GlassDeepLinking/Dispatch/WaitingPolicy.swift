/// How many links may wait for preconditions, and for how long.
public struct WaitingPolicy: Sendable, Equatable {
    /// The most links that wait; the oldest gives way to a new one, since the last tap is what someone wants now.
    public let limit: Int

    /// How long a link waits at most.
    public let expiry: Duration

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - limit: The most links that wait; 32, and at least 1.
    ///   - expiry: How long a link waits at most; five minutes, in which anyone can sign in.
    public init(limit: Int = 32, expiry: Duration = .seconds(300)) {
        self.limit = max(1, limit)
        self.expiry = expiry
    }
}
