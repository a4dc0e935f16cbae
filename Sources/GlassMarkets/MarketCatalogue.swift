package import GlassBase

/// A source that knows which markets it has: a folder of Lua files, or of compiled markets.
package protocol MarketCatalogue: MarketSource {
    /// The ids of the markets.
    ///
    /// - Returns: The ids in byte order.
    /// - Throws: An error when the place cannot be read.
    func marketIDs() throws -> [String]

    /// Loads a market within an allowance.
    ///
    /// - Parameters:
    ///   - id: The market's id.
    ///   - allowance: What the load draws on.
    /// - Returns: As `check(_:)`.
    /// - Throws: As `check(_:)`.
    func check(_ id: String, allowance: Allowance) throws -> MarketCheck

    /// Loads a market as far as it goes, in no more than what is left to whoever asks for it.
    ///
    /// - Parameters:
    ///   - id: The market's id.
    ///   - time: The CPU time that is left; nil for no limit but the source's own.
    /// - Returns: As `check(_:)`.
    /// - Throws: As `check(_:)`.
    func check(_ id: String, within time: Duration?) throws -> MarketCheck
}

extension CompiledMarkets: MarketCatalogue {
    /// The ids of the folder's markets; none for markets that a closure reads.
    ///
    /// - Returns: The ids in byte order.
    /// - Throws: ``CompiledMarketError/unreadable(_:reason:)``.
    package func marketIDs() throws -> [String] { try files?.marketIDs() ?? [] }

    /// Loads a market as far as it goes in the time that is left.
    package func check(_ id: String, within time: Duration?) throws -> MarketCheck {
        let allowance = Allowance()
        return try check(id, allowance: time.map { Allowance(cpuTime: min($0, allowance.cpuTime)) } ?? allowance)
    }
}
