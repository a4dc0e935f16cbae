import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import LuaBridge

@testable import GlassAuthoring

/// The shipped markets, and files from the test, which are in memory.
struct LintFixture {
    static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The shipped markets, whose files every fixture reads again with the same text.
    private static let shipped = loader(.platform).remembering(SourceAnalysisCache())
    /// What the shipped markets mention, by their ids. No test changes them.
    private static let shippedMentions = Result { try mentions(of: shipped.marketIDs(), by: shipped) }

    private let texts: [String: [UInt8]]
    /// Loads the markets.
    let loader: MarketLoader

    /// Adds files.
    init(_ files: [String: String] = [:]) {
        texts = files.mapValues { Array($0.utf8) }
        loader = Self.shipped.replacing(texts)
    }

    /// Loads the markets of a module.
    func loader(_ module: MarketModule) -> MarketLoader { Self.loader(module).replacing(texts) }

    private static func loader(_ module: MarketModule) -> MarketLoader {
        var limits = MarketLimits(load: .seconds(60))
        limits.evaluation.cpuTime = .seconds(60)
        let folder = MarketFolder(path: repository.appending(path: "markets").path)
        return MarketLoader(module, folder: folder, limits: limits) { _ in "value" }.writingFixes
    }

    private static func mentions(of ids: [String], by loader: MarketLoader) throws -> [String: MarketMentions] {
        var mentions: [String: MarketMentions] = [:]
        for id in ids { mentions[id] = try loader.check(id).lintResult?.mentions }
        return mentions
    }

    /// Everything that is found in a market and that its files do not accept, as `check` finds it.
    func findings(_ id: String = "xx") throws -> [Finding] {
        let check = try loader.check(id)
        let lintResult = check.lintResult
        let others = try loader.marketIDs().filter { $0 != id && texts["\($0).lua"] != nil }
        var mentions = try Self.shippedMentions.get().merging(Self.mentions(of: others, by: loader)) { $1 }
        mentions[id] = lintResult?.mentions
        let confused = Array(mentions.values).confusedMarkets.filter { $0.market == id }
            .findings(by: loader, [id: check.files])
        var acceptances = FileAcceptances(check.acceptances, today: FileAcceptances.today)
        let meant = ((lintResult?.findings ?? []) + confused).filter { !acceptances.accepts($0) }
        return (check.findings + meant).sortedByPosition()
    }

    /// The findings as text, with the folder's path shortened to `markets`.
    func text(of findings: [Finding]) -> String {
        findings.map(\.description).joined(separator: "\n").replacing(loader.folder.path, with: "markets")
    }

    /// A file of a market that extends the United States with one addition.
    static func file(_ addition: String) -> String {
        "return { id = \"xx\", name = \"Test\", extends = \"us\",\n\(addition)\n}"
    }
}
