public import Foundation

/// The state of a market's delivery, as known by a source that fetches markets from a server.
public struct MarketDeliveryStatus: Sendable, Equatable {
    /// A version of a market.
    public struct Version: Sendable, Hashable, CustomStringConvertible {
        /// The SHA-256 digest of its bytes as 64 hexadecimal digits.
        public let digest: String
        /// The publisher's serial number; nil if there is none.
        public let serial: Int?

        /// Creates a version.
        package init(digest: String, serial: Int?) {
            self.digest = digest
            self.serial = serial
        }

        /// The number, and the first twelve digits of the digest.
        public var description: String { (serial.map { "\($0) " } ?? "") + "(\(digest.prefix(12)))" }
    }

    /// Whether the version in use is known to work.
    public enum Health: Sendable, Hashable {
        /// The version is the one that the app includes.
        case embedded
        /// The version has not been used for long enough. `starts` counts the starts with it that failed.
        case trial(starts: Int)
        /// The app confirmed that the version works.
        case healthy
    }

    /// A version that is never used again.
    public struct Quarantined: Sendable, Hashable {
        /// The SHA-256 digest of its bytes.
        public let digest: String
        /// When it was quarantined.
        public let since: Date
        /// The reason.
        public let reason: String

        /// Creates a quarantined version.
        package init(digest: String, since: Date, reason: String) {
            self.digest = digest
            self.since = since
            self.reason = reason
        }
    }

    /// The version in use; nil for the one that the app includes.
    public var active: Version?
    /// The version that the next start tries; nil if there is none.
    public var pending: Version?
    /// The version to return to if a trial fails; nil for the one that the app includes.
    public var lastHealthy: Version?
    /// Whether the version in use is known to work.
    public var health: Health
    /// How current the app's knowledge of the server is.
    public var freshness: MarketFreshness
    /// The quarantined versions, sorted by time.
    public var quarantined: [Quarantined]
    /// The reason why the newest version on the server is not for this app; nil if it is, or if that is unknown.
    public var incompatibility: String?
    /// The number of failed refreshes since the last successful one.
    public var failedRefreshes: Int
    /// The reason why the last refresh failed or the store is unusable; nil if there is no problem.
    public var problem: String?

    /// Creates the status of a market that the app includes.
    package init(freshness: MarketFreshness) {
        self.freshness = freshness
        health = .embedded
        quarantined = []
        failedRefreshes = 0
    }
}

/// How current an app's knowledge of the server is. It does not say whether a market works, and never stops one.
public enum MarketFreshness: Sendable, Hashable, CustomStringConvertible {
    /// The last refresh succeeded, and its metadata is valid until the given date.
    case fresh(until: Date)
    /// The server is unreachable, and the last known metadata expired at the given date.
    case stale(since: Date)
    /// Since the given date, the server has sent expired, older or unverified metadata. Either the last known metadata
    /// has expired, or the server has done so for hours: an attack, or broken signing.
    case frozen(since: Date)
    /// No refresh has ever succeeded. The app was built at the given date.
    case embedded(builtAt: Date)
    /// The market has been older than the app allows since the given date.
    case expired(since: Date)

    /// The case's name and its date.
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
