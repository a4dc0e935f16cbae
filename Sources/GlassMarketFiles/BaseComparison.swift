package import GlassMarkets
package import GlassSchema
import GlassBase

/// Compares the links of checked markets with those of their base markets.
///
/// The comparison is a part of a market's check: loading the base market and comparing the two use what the market's
/// own load left of its CPU time. Only the base market that was loaded last is kept, because most markets of a folder
/// extend the same one, and a folder may have any number of them.
package struct BaseComparison: Sendable {
    private let loader: any MarketCatalog
    private var last: (id: String, market: Market?)?

    /// The base market that was loaded last, if it is usable, for use in another comparison.
    package var base: Market? { last?.market }

    /// Creates a comparison, optionally with a base market that is already loaded.
    package init(by loader: any MarketCatalog, knowing base: Market? = nil) {
        self.loader = loader
        last = base.map { ($0.id, $0) }
    }

    /// The findings about links that work differently in the base market of a checked market.
    package mutating func findings(of check: MarketCheck) -> [Finding] {
        guard let market = check.market, let id = market.origin.nearestMarket else { return [] }
        let budget = WorkBudget(cpuTime: check.timeLeft)
        do throws(WorkBudget.Exceeded) {
            if last?.id != id {
                let base = (try? loader.check(id, budget: budget))?.market  // a base that fails to load is not compared
                if let exceeded = budget.exceeded { throw exceeded }
                last = (id, base)
            }
            guard let base = last?.market else { return [] }
            return try market.findings(against: base, budget: budget)
                .withPlaces(in: market.origin.files, budget: budget)
        } catch {
            let finding = Finding(
                .limit, severity: .warning, at: market.source.node(at: "extends")?.position, path: "extends",
                "its links were not compared with those of \(id.quotedForMessage) "
                    + "because the time limit was reached: \(error)",
                hint: "reduce the size of the market or its base")
            return [finding].withLines(of: market.origin.files)
                .withPlaces(in: market.origin.files, budget: .unlimited)
        }
    }
}
