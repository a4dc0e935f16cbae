import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import LuaBridge

@testable import GlassAuthoring

/// A temporary markets folder: the shipped markets, and files from the test.
final class MeaningFixture: Sendable {
    static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private let folder: URL

    /// Creates a folder.
    init(_ files: [String: String] = [:]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "meaning-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: Self.repository.appending(path: "markets"), to: folder)
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
    }

    deinit {
        // The system cleans up a folder that cannot be removed.
        try? FileManager.default.removeItem(at: folder)
    }

    /// Loads the markets.
    var loader: MarketLoader { loader(.platform) }

    /// Loads the markets of a module.
    func loader(_ module: MarketModule) -> MarketLoader {
        var limits = MarketLimits(load: .seconds(60))
        limits.evaluation.cpuTime = .seconds(60)
        // The closure retains the folder for as long as the loader lives.
        return MarketLoader(module, folder: MarketFolder(path: folder.path), limits: limits) { [self] _ in
            withExtendedLifetime(self) { "value" }
        }
    }

    /// Everything that is found in a market, as `check` finds it.
    func findings(_ id: String = "xx") throws -> [Finding] {
        let check = try loader.check(id)
        let hosts = try loader.marketIDs().compactMap { try loader.check($0).examined?.mentions }
        let similar = hosts.confusedMarkets.filter { $0.market == id }.findings(by: loader)
        return (check.findings + check.meaning + similar).sortedByPosition()
    }

    /// The findings as text, with the folder's path shortened to `markets`.
    func text(of findings: [Finding]) -> String {
        findings.map(\.description).joined(separator: "\n").replacing(folder.path, with: "markets")
    }

    /// A file of a market that extends the United States with one addition.
    static func file(_ addition: String) -> String {
        "return { id = \"xx\", name = \"Test\", extends = \"us\",\n\(addition)\n}"
    }
}
