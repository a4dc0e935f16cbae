package import GlassMarkets
package import GlassSchema
import GlassBase

/// Says of checked markets what became of the links of those that they extend.
///
/// The comparison is a part of a market's check, so loading the other market and comparing the two have what the load of
/// the first one left of its CPU time. The market that was loaded last is kept, because most markets of a folder extend
/// the same one, and no other, because a folder may have any number of them.
package struct BaseComparison: Sendable {
    private let loader: any MarketCatalog
    private var last: (id: String, market: Market?)?

    /// The market that was loaded last and can be used, to be given to another comparison.
    package var base: Market? { last?.market }

    /// Creates a comparison that has loaded nothing.
    package init(by loader: any MarketCatalog, knowing base: Market? = nil) {
        self.loader = loader
        last = base.map { ($0.id, $0) }
    }

    /// What became of the links of the market that a checked one extends.
    package mutating func findings(of check: MarketCheck) -> [Finding] {
        guard let market = check.market, let id = market.definition.extends else { return [] }
        let budget = WorkBudget(cpuTime: check.timeLeft)
        do throws(WorkBudget.Exceeded) {
            if last?.id != id {
                let base = (try? loader.check(id, budget: budget))?.market  // as above
                if let exceeded = budget.exceeded { throw exceeded }
                last = (id, base)
            }
            guard let base = last?.market else { return [] }
            return try market.findings(against: base, budget: budget)
                .withPlaces(in: market.origin.files, budget: budget)
        } catch {
            let finding = Finding(
                .limit, severity: .warning, at: market.source.node(at: "extends")?.position, path: "extends",
                "its links were not compared with those of \(id.quotedForMessage), within what was left of the time: \(error)",
                hint: "a market and the one that it extends are that large at most together: shorten them")
            return [finding].withLines(of: market.origin.files)
                .withPlaces(in: market.origin.files, budget: .unlimited)
        }
    }
}
