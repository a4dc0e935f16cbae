import GlassAuthoring
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// A market with what its meaning shows.
struct LoadedMarket: Sendable {
    var check: MarketCheck
    var lintResult: LintResult?
    var values: ValidValues?

    init(check: MarketCheck, lintResult: LintResult? = nil, values: ValidValues? = nil) {
        self.check = check
        self.lintResult = lintResult
        self.values = values
    }
}

/// What is kept of each market, to compare it with the others.
struct KnownMarkets {
    var identities: [MarketIdentity] = []
    var mentions: [MarketMentions] = []
    /// The files of the markets that were checked, by id, as long as they are small.
    private(set) var files: [String: [MarketFile]] = [:]
    private var bytes = 0

    private static let maximumBytes = 16 << 20

    mutating func add(_ market: ValidValues, _ lintResult: LintResult?, _ sources: [MarketFile]) {
        identities.append(MarketIdentity(market))
        if let lintResult { mentions.append(lintResult.mentions) }
        bytes += sources.reduce(0) { $0 + $1.bytes.count }
        if !sources.isEmpty, bytes <= Self.maximumBytes { files[market.id] = sources }
    }

    /// Adds other markets.
    mutating func add(_ others: KnownMarkets) {
        identities += others.identities
        mentions += others.mentions
        files.merge(others.files) { $1 }
    }

    /// What a comparison of the markets finds in each of them: identifiers that it shares with another one, and values
    /// that belong to another one.
    func findings(by markets: any MarketSource) -> [String: [Finding]] {
        let clashes = Dictionary(grouping: identities.clashes(severity: .warning).unexplained, by: \.market)
        let confused = Dictionary(grouping: mentions.confusedMarkets, by: \.market)
        return clashes.mapValues { $0.findings(by: markets, files) }
            .merging(confused.mapValues { $0.findings(by: markets, files) }, uniquingKeysWith: +)
    }
}
