public import Foundation

/// What a source that fetches markets from a server knows about one of them.
public struct MarketDeliveryStatus: Sendable, Equatable {
    /// A version of a market.
    public struct Version: Sendable, Hashable, CustomStringConvertible {
        /// The SHA-256 digest of its bytes as 64 hexadecimal digits.
        public let digest: String
        /// The number that its publisher gave it; nil when there was none.
        public let serial: Int?

        /// Describes a version.
        package init(digest: String, serial: Int?) {
            self.digest = digest
            self.serial = serial
        }

        /// The number, and the first twelve digits of the digest.
        public var description: String { (serial.map { "\($0) " } ?? "") + "(\(digest.prefix(12)))" }
    }

    /// Whether the version in use is known to work.
    public enum Health: Sendable, Hashable {
        /// It is the version that came with the app.
        case embedded
        /// It has not been used for long enough; so many starts with it did not end well so far.
        case trial(starts: Int)
        /// The app said that it works.
        case healthy
    }

    /// A version that is not used again.
    public struct Quarantined: Sendable, Hashable {
        /// The SHA-256 digest of its bytes.
        public let digest: String
        /// Since when.
        public let since: Date
        /// Why.
        public let reason: String

        /// Describes a version that is not used again.
        package init(digest: String, since: Date, reason: String) {
            self.digest = digest
            self.since = since
            self.reason = reason
        }
    }

    /// The version in use; nil for the one that came with the app.
    public var active: Version?
    /// The version that the next start tries; nil for none.
    public var pending: Version?
    /// The version that a failing trial goes back to; nil for the one that came with the app.
    public var lastHealthy: Version?
    /// Whether the version in use is known to work.
    public var health: Health
    /// How old what is known of the server is.
    public var freshness: MarketFreshness
    /// What is not used again, sorted by time.
    public var quarantined: [Quarantined]
    /// Why the newest version on the server is not for this app; nil when it is, or when it is not known.
    public var incompatibility: String?
    /// How many refreshes failed since the last one that succeeded.
    public var failedRefreshes: Int
    /// Why the last refresh failed, or why the store cannot be used; nil when all is well.
    public var problem: String?

    /// Describes a market that came with the app.
    package init(freshness: MarketFreshness) {
        self.freshness = freshness
        health = .embedded
        quarantined = []
        failedRefreshes = 0
    }
}

/// How old what an app knows of the server is. It says nothing about whether a market works, and stops none.
public enum MarketFreshness: Sendable, Hashable, CustomStringConvertible {
    /// The last refresh succeeded and what it brought is valid until then.
    case fresh(until: Date)
    /// The server cannot be reached, and what was last known expired then.
    case stale(since: Date)
    /// The server answers, but with expired, older or unproved metadata, since then, and what was last known expired or the
    /// server does so for hours: an attack, or broken signing.
    case frozen(since: Date)
    /// No refresh ever succeeded; the app was built then.
    case embedded(builtAt: Date)
    /// The market is older than the app allows, since then.
    case expired(since: Date)

    /// The word and its time.
    public var description: String {
        switch self {
        case .fresh(let date): "fresh until \(date.ISO8601Format())"
        case .stale(let date): "stale since \(date.ISO8601Format())"
        case .frozen(let date): "frozen since \(date.ISO8601Format())"
        case .embedded(let date): "embedded, built at \(date.ISO8601Format())"
        case .expired(let date): "expired since \(date.ISO8601Format())"
        }
    }
}
