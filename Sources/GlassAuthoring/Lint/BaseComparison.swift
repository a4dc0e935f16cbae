package import GlassMarkets
package import GlassSchema
package import GlassBase

/// Compares the links of checked markets with those of their base markets.
///
/// The comparison is a part of a market's check: loading the base market and comparing the two use what the market's
/// own load left of its CPU time. Only the base market that was loaded last is kept, because most markets of a folder
/// extend the same one, and a folder may have any number of them.
package struct BaseComparison: Sendable {
    private let loader: any MarketCatalog
    private let account: WorkBudget?
    private let loaded: RecentMarkets
    private var last: (id: String, market: Market?)?

    /// The base market that was loaded last, if it is usable, for use in another comparison.
    package var base: Market? { last?.market }

    /// Creates a comparison, optionally with a base market that is already loaded.
    ///
    /// - Parameters:
    ///   - account: The budget of the command, which pays for the comparison, too.
    ///   - loaded: Markets that are loaded for other reasons, or will be.
    package init(
        by loader: any MarketCatalog, knowing base: Market? = nil, partOf account: WorkBudget? = nil,
        sharing loaded: RecentMarkets = RecentMarkets()
    ) {
        self.loader = loader
        self.account = account
        self.loaded = loaded
        last = base.map { ($0.id, $0) }
    }

    /// The findings about links that work differently in the base market of a checked market.
    ///
    /// - Throws: The limit of the command, if that is exceeded. A limit of the market itself is a finding.
    package mutating func findings(of check: MarketCheck) throws(WorkBudget.Exceeded) -> [Finding] {
        guard let market = check.market, let id = market.origin.nearestMarket else { return [] }
        let budget = WorkBudget(cpuTime: check.timeLeft, partOf: account)
        do throws(WorkBudget.Exceeded) {
            if last?.id != id {
                var base = loaded.market(id)
                if base == nil {
                    base = try? loader.check(id, budget: budget)  // a base that fails to load is not compared
                    if let exceeded = budget.exceeded { throw exceeded }
                    if let base { loaded.add(base) }
                }
                last = (id, base?.market)
            }
            guard let base = last?.market else { return [] }
            return try market.findings(against: base, budget: budget)
                .withPlacesAndFixes(in: market.origin.files, budget: budget)
        } catch {
            if error.isOfCommand { throw error }
            let finding = Finding(
                .limit, severity: .warning, at: market.source.node(at: "extends")?.position, path: "extends",
                "its links were not compared with those of \(id.quotedForMessage) "
                    + "because the time limit was reached: \(error)",
                hint: "reduce the size of the market or its base")
            return [finding].withLines(of: market.origin.files)
                .withPlacesAndFixes(in: market.origin.files, budget: .unlimited)
        }
    }
}

/// The markets that a command loaded last, so that one that is checked and also compared with others is loaded once.
package final class RecentMarkets: Sendable {
    private let checks = Lock<[MarketCheck]>([])

    /// The maximum number of markets, because a command must not keep a folder in memory.
    private static let maximumCount = 4

    /// Creates an empty list.
    package init() {}

    /// The check of a market; nil if it was not loaded lately.
    package func market(_ id: String) -> MarketCheck? { checks.withLock { $0.last { $0.id == id } } }

    /// Adds a check, in place of the oldest one.
    package func add(_ check: MarketCheck) {
        checks.withLock { checks in
            checks.removeAll { $0.id == check.id }
            if checks.count == Self.maximumCount { checks.removeFirst() }
            checks.append(check)
        }
    }
}
