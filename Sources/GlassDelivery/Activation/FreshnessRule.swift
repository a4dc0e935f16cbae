package import Foundation
package import GlassMarkets

/// What the app allows the age of a market to be.
public struct MaximumAge: Sendable, Hashable {
    /// What runs when a market is older.
    public enum Policy: Sendable, Hashable {
        /// The market runs on, and its status says that it expired.
        case keep
        /// The version that came with the app.
        case embedded
        /// None: loading the market throws ``DeliveryError/expired(_:since:)``.
        case off
    }

    /// The age, from the last refresh that succeeded; where none did, from when the app was built.
    package let age: Duration
    /// What runs when a market is older.
    package let policy: Policy

    /// Limits an age.
    ///
    /// - Parameters:
    ///   - age: The age, from the last refresh that succeeded; where none did, from when the app was built.
    ///   - policy: What runs when a market is older.
    public init(_ age: Duration, then policy: Policy) {
        self.age = age
        self.policy = policy
    }
}

extension StoredState {
    /// How old what is known of the server is.
    package func freshness(now: UpdateTime, builtAt: UpdateTime, maximum: MaximumAge? = nil) -> MarketFreshness {
        if let since = expiry(builtAt: builtAt, maximum: maximum), since <= now { return .expired(since: since.date) }
        if let failure, failure.isRefusal { return .frozen(since: failure.since.date) }
        guard verified != nil, let validUntil else { return .embedded(builtAt: builtAt.date) }
        return now < validUntil ? .fresh(until: validUntil.date) : .stale(since: validUntil.date)
    }

    /// When a market gets older than the app allows; nil for never.
    package func expiry(builtAt: UpdateTime, maximum: MaximumAge?) -> UpdateTime? {
        maximum.map { (verified ?? builtAt).adding(seconds: Int($0.age.components.seconds)) }
    }
}

extension UpdateTime {
    /// The time as Foundation has it.
    package var date: Date { Date(timeIntervalSince1970: TimeInterval(secondsSince1970)) }

    /// A time of Foundation's, without fractions of a second.
    package init(_ date: Date) {
        self.init(secondsSince1970: Int(date.timeIntervalSince1970.rounded(.down)))
    }
}
