/// The limits for waiting links: their number and their time.
public struct WaitingPolicy: Sendable, Equatable {
    /// The links to keep when another one is added.
    public enum Retention: Sendable, Equatable {
        /// All links, up to the limit.
        case keepAll
        /// Only the newest link: earlier ones are reported as displaced.
        case newestOnly
    }

    /// The links to keep when another one is added.
    package let retention: Retention

    /// The maximum number of waiting links. A new link displaces the oldest, because the latest tap reflects the user's
    /// intent.
    package let limit: Int

    /// The maximum time that a link waits.
    package let expiry: Duration

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of waiting links, at least 1; the default is 32.
    ///   - expiry: The maximum time that a link waits; the default is five minutes, enough to sign in.
    ///   - retention: The links to keep when another one is added; by default all.
    public init(limit: Int = 32, expiry: Duration = .seconds(300), retention: Retention = .keepAll) {
        self.limit = max(1, limit)
        self.expiry = expiry
        self.retention = retention
    }
}
