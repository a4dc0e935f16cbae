package import Foundation
package import GlassMarkets

/// The maximum age that an app allows for a market.
public struct MaximumAge: Sendable, Hashable {
    /// The policy for a market that exceeds the maximum age.
    public enum Policy: Sendable, Hashable {
        /// Keep using the market; its status reports that it expired.
        case keep
        /// Use the version embedded in the app.
        case embedded
        /// Use no market: loading it throws ``DeliveryError/expired(_:since:)``.
        case off
    }

    /// The maximum age, from the last successful refresh, or from the build time of the app if there was none.
    package let age: Duration
    /// The policy for a market that exceeds the maximum age.
    package let policy: Policy

    /// Creates a maximum age.
    ///
    /// - Parameters:
    ///   - age: The maximum age, from the last successful refresh, or from the build time of the app if there was none.
    ///   - policy: The policy for a market that exceeds the maximum age.
    public init(_ age: Duration, then policy: Policy) {
        self.age = age
        self.policy = policy
    }
}

extension StoredState {
    /// The freshness of the known metadata.
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

    /// Whether responses were rejected more often and for longer than caching can explain.
    ///
    /// After each publication, some caches serve files that do not belong together for as long as they keep a file:
    /// minutes, or an hour or two. An attacker can withhold updates from a device only for as long as its known
    /// metadata is valid.
    private func isRefusedForLong(_ failure: Failure, now: UpdateTime) -> Bool {
        failure.refusals >= 3 && (checked ?? now) >= failure.since.adding(seconds: 6 * 3600)
    }

    /// The time at which a market exceeds the maximum age; `nil` for never.
    package func expiry(builtAt: UpdateTime, maximum: MaximumAge?) -> UpdateTime? {
        maximum.map { (verified ?? builtAt).adding(seconds: Int($0.age.components.seconds)) }
    }
}

extension UpdateTime {
    /// The time as a Foundation date.
    package var date: Date { Date(timeIntervalSince1970: TimeInterval(secondsSince1970)) }

    /// Converts a Foundation date, rounded down to whole seconds.
    package init(_ date: Date) {
        self.init(secondsSince1970: Int(date.timeIntervalSince1970.rounded(.down)))
    }
}
