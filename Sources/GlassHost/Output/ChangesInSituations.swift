import GlassBase
import GlassMarkets

/// What only other situations than that of the store show of changes, as `diff` compares them.
///
/// A store prepares a market, and reports the change later, when it no longer has both versions.
final class ChangesInSituations: Sendable {
    /// The differences by market and revision, until they are taken.
    private let found = Lock<[String: [SituationDifference]]>([:])

    /// Compares a new market with the one that it replaces.
    func compare(_ market: Market, with previous: Market?) {
        guard let previous else { return }
        let known = MarketDifference(from: previous, to: market)
        // A market with conditions of a hostile size is compared in its own situation only.
        let differences = try? SituationDifference.all(
            of: [previous, market], beside: known, budget: WorkBudget(cpuTime: .seconds(10)))
        found.withLock { $0["\(market.id) \(market.revision)"] = differences }
    }

    /// Returns the differences of a change once.
    func take(_ change: MarketChange) -> [SituationDifference] {
        found.withLock { $0.removeValue(forKey: "\(change.id) \(change.after)") } ?? []
    }
}
