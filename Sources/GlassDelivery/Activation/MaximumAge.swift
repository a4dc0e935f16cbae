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
        let known = verified == nil ? nil : validUntil
        if let failure, failure.refusals > 0 {
            let hasExpired = known.map { $0 <= now } ?? false
            if hasExpired || isRefusedForLong(failure, now: now) { return .frozen(since: failure.since.date) }
        }
        guard let known else { return .embedded(builtAt: builtAt.date) }
        return now < known ? .fresh(until: known.date) : .stale(since: known.date)
    }

    /// Whether the server was refused so often and for so long that no cache explains it.
    ///
    /// Each publish has some caches answer with files that do not belong together, for as long as they keep a file: minutes,
    /// or an hour or two. An attacker can only hold a device back for as long as what it knows is valid.
    private func isRefusedForLong(_ failure: Failure, now: UpdateTime) -> Bool {
        failure.refusals >= 3 && (checked ?? now) >= failure.since.adding(seconds: 6 * 3600)
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
