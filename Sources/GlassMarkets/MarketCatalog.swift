package import GlassBase

/// A source that can list its markets: a folder of Lua files, or of compiled markets.
package protocol MarketCatalog: MarketSource {
    /// The ids of the markets.
    func marketIDs() throws -> [String]

    /// Loads a market within a budget.
    func check(_ id: String, budget: WorkBudget) throws -> MarketCheck

    /// Loads a market within the caller's remaining time.
    func check(_ id: String, within time: Duration?) throws -> MarketCheck
}

extension CompiledMarkets: MarketCatalog {
    /// The ids of the folder's markets; none for markets that a closure reads.
    package func marketIDs() throws -> [String] { try files?.marketIDs() ?? [] }

    /// Loads a market within the caller's remaining time.
    package func check(_ id: String, within time: Duration?) throws -> MarketCheck {
        let budget = WorkBudget()
        return try check(id, budget: time.map { WorkBudget(cpuTime: min($0, budget.cpuTime)) } ?? budget)
    }
}
