import Foundation
import GlassDeepLinking
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
@testable import GlassAuthoring
import GlassSchema
import GlassSites

/// Two states of a markets folder, in memory: the real United States with changes, and files added by a test.
struct ReviewFixture {
    /// The files of a state, by name.
    typealias Files = [String: String]

    private static let markets = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "markets")

    /// The text of a real market.
    static func text(_ name: String) throws -> String {
        try String(contentsOf: markets.appending(path: name), encoding: .utf8)
    }

    struct Missing: Error { let text: String }

    /// The United States alone, as it is.
    private static let shipped = Result {
        try Files(
            uniqueKeysWithValues: ["us.lua", "shared/us_regions.lua", "shared/us_errors.lua"].map { ($0, try text($0)) }
        )
    }

    /// What is derived from the texts of all states. A test compares the same ones forward and back.
    private static let readings = SourceAnalysisCache()

    /// The United States alone, with some texts replaced.
    static func us(_ changes: [(String, String)] = []) throws -> Files {
        var files = try shipped.get()
        for (old, new) in changes {
            guard let text = files["us.lua"], text.contains(old) else { throw Missing(text: old) }
            files["us.lua"] = text.replacing(old, with: new, maxReplacements: 1)
        }
        return files
    }

    /// The United States with additional routables.
    static func us(routables: String) throws -> Files { try us([("home = {},", "home = {},\n\(routables)")]) }

    /// A market that extends another one with an addition.
    static func market(_ id: String, of base: String = "us", _ addition: String) -> String {
        "return { id = \"\(id)\", name = \"Test\", extends = \"\(base)\",\n\(addition)\n}"
    }

    static func folder(_ name: String, _ files: Files, secrets: [String: String] = [:]) -> ReviewedFolder {
        // Equal states have equal paths, under which their readings are found again.
        let tree = MarketTree(
            revision: "\(files.hashValue)", path: "markets", files: files.mapValues { .text(Array($0.utf8)) })
        let limits = MarketLimits(load: .seconds(60))
        let loader = MarketLoader(.platform, folder: MarketFolder(tree), limits: limits) { secrets[$0] }
            .remembering(readings)
        return ReviewedFolder(side: Review.Side(name: name), loader: loader, path: "markets")
    }

    static func result(
        _ base: Files, _ head: Files, links: [String] = [], today: String = "2026-11-22"
    ) throws -> Reviewer.Result {
        var reviewer = Reviewer(base: folder("base", base), head: folder("head", head), today: today)
        reviewer.links = links.enumerated().map { offset, text in
            RecordedLink(text, at: SourcePosition(file: "links/all.txt", line: offset + 1))
        }
        reviewer.siteInput = { market in
            let info = market.config.appInfo
            let table = market.deepLinker.table
            return SiteInput.Market(
                id: market.id, universalHosts: market.definition.deepLinking.universalLinks,
                schemes: market.definition.deepLinking.schemes,
                browser: market.definition.deepLinking.browser.map(BrowserPath.init),
                app: SiteInput.App(
                    teamIdentifier: info.teamIdentifier, bundleIdentifier: info.bundleIdentifier,
                    androidPackage: info.android?.package ?? "",
                    certificateDigests: info.android?.certificateDigests ?? []),
                routes: zip(table.declarations, table.patterns).map { declaration, pattern in
                    SiteInput.Route(routableID: declaration.routableID, pattern: pattern)
                })
        }
        return try reviewer.run()
    }

    static func changes(
        _ base: Files, _ head: Files, links: [String] = [], today: String = "2026-11-22"
    ) throws -> [Change] {
        try result(base, head, links: links, today: today).review.changes
    }
}

extension [Change] {
    /// The changes with a given rule.
    func of(_ rule: ChangeRule) -> [Change] { filter { $0.rule == rule.rawValue } }
}
