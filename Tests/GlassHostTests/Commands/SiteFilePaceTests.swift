import CommandTesting
import Foundation
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import SchemaTesting
import Testing

@testable import GlassHost

/// Site and app files belong to a build, so the keys that they contain cannot vary more often.
@Suite(.timeLimit(.minutes(3)))
struct SiteFilePaceTests {
    private let folder: TestFolder
    private let markets: URL
    private let app: AppBundleFile

    init() throws {
        folder = try TestFolder()
        markets = try folder.markets()
        // An app that has nothing in common with a market, so that its comparison prints everything that it reads.
        for (name, list) in [
            "Info.plist": [
                "CFBundleIdentifier": "a.b", "CFBundleShortVersionString": "0", "CFBundleVersion": "0",
                "CFBundleDisplayName": "-",
            ], "App.entitlements": ["a": "b"],
        ] {
            try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
                .write(to: folder.url.appending(path: name))
        }
        app = try AppBundleFile(folder.url.appending(path: "Info.plist").path)
    }

    /// What exports and the comparison with a built app read from a market that extends the United States with an
    /// addition; nil if the market has errors.
    private func files(with addition: String) throws -> [String]? {
        try Data("return { id = \"xx\", extends = \"us\", \(addition) }".utf8)
            .write(to: markets.appending(path: "xx.lua"))
        let loader = MarketLoader(.platform, folder: MarketFolder(path: markets.path), secrets: { _ in "value" })
        guard let market = try loader.check("xx").market else { return nil }
        var comparison = try BundleComparison(app, isNamed: true, budget: .unlimited)
        return try ["\(market.siteInput)"] + comparison.findings(of: market).map { "\($0.path): \($0.message)" }
    }

    @Test func siteAndAppFilesReadOnlyKeysThatVaryByBuild() throws {
        let declaration = MarketSchema(.platform).declaration
        let base = try #require(try files(with: ""))
        let source = try MarketLoader(.platform, folder: MarketFolder(path: markets.path), secrets: { _ in "value" })
            .load("us").source.value
        var read: Set<String> = []
        var unchanged: Set<String> = []
        var failed: Set<String> = []
        for change in declaration.changes(of: source) {
            let path = change.path
            // The routes are in the files too, but may vary more often: the files have those of one situation.
            guard let first = path.elements.first, ![.key("id"), .key("extends"), .key("routables")].contains(first),
                declaration.type(at: path)?.section == nil, !read.contains("\(path)")
            else { continue }
            let keys = path.elements.compactMap { if case .key(let name) = $0 { name } else { nil } }
            let addition =
                keys.dropLast().map { "\($0) = { " }.joined() + "\(keys[keys.count - 1]) = "
                + (change.value?.sourceText ?? "unset") + String(repeating: " }", count: keys.count - 1)
            guard let changed = try files(with: addition) else {
                failed.insert("\(path)")
                continue
            }
            if changed == base { unchanged.insert("\(path)") } else { read.insert("\(path)") }
        }
        #expect(
            read == [
                "deepLinking.browser",
                "deepLinking.outboundSchemes", "deepLinking.schemes", "deepLinking.universalLinks",
                "platform.appInfo.android.certificateDigests", "platform.appInfo.android.package",
                "platform.appInfo.build", "platform.appInfo.bundleIdentifier", "platform.appInfo.name",
                "platform.appInfo.teamIdentifier", "platform.appInfo.version",
                "platform.cookieStorage.sharedGroup", "platform.preferences.suite",
                "platform.userDefaultsRegistration.suite",
            ])
        for key in read {
            let path = try #require(ConfigurationPath(parsing: key))
            #expect(declaration.pace(at: path) <= .build, "\(key) is in a file of a build")
        }
        // No other value of these agrees with the other keys of the United States.
        #expect(
            failed.subtracting(read).subtracting(unchanged) == [
                "platform.address.postalCodeExample", "platform.address.postalCodePattern",
                "platform.analytics.collector.service", "platform.environment.default",
                "platform.networking.defaultService",
            ])
        #expect(unchanged.count > 60)
    }
}
