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
    private let loader: MarketLoader
    private let app: AppBundleFile

    init() throws {
        folder = try TestFolder()
        loader = MarketLoader(
            .platform, folder: MarketFolder(path: try folder.markets().path), secrets: { _ in "value" }
        ).remembering(SourceAnalysisCache())
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

    /// What exports and the comparison with a built app read from a market that extends the United States with some
    /// changes; nil if the market has errors.
    private func files(with changes: [KeyChange]) throws -> [String]? {
        let additions = changes.isEmpty ? "" : Self.text(of: changes.sorted { "\($0.path)" < "\($1.path)" })
        let loader = loader.replacing(["xx.lua": Array("return { id = \"xx\", extends = \"us\", \(additions) }".utf8)])
        guard let market = try loader.check("xx").market else { return nil }
        var comparison = try BundleComparison(app, isNamed: true, budget: .unlimited)
        return try ["\(market.siteInput)"] + comparison.findings(of: market).map { "\($0.path): \($0.message)" }
    }

    /// Changes of different keys, as a market file has them.
    private static func text(of changes: [KeyChange], below depth: Int = 0) -> String {
        let keys = Dictionary(grouping: changes) { $0.path.elements[depth] }
        return keys.sorted { "\($0.key)" < "\($1.key)" }.map { key, changes in
            guard case .key(let name) = key else { preconditionFailure("only keys of sections are changed") }
            let isInside = changes[0].path.elements.count > depth + 1
            let value =
                isInside ? "{ \(text(of: changes, below: depth + 1)) }" : changes[0].value?.sourceText ?? "unset"
            return "\(name) = \(value)"
        }.joined(separator: ", ")
    }

    /// The keys that the files contain.
    private static let expected: Set = [
        "deepLinking.browser",
        "deepLinking.outboundSchemes", "deepLinking.schemes", "deepLinking.universalLinks",
        "platform.appInfo.android.certificateDigests", "platform.appInfo.android.package",
        "platform.appInfo.build", "platform.appInfo.bundleIdentifier", "platform.appInfo.name",
        "platform.appInfo.teamIdentifier", "platform.appInfo.version",
        "platform.cookieStorage.sharedGroup", "platform.preferences.suite",
        "platform.userDefaultsRegistration.suite",
    ]

    /// The keys of which no other value agrees with the other keys of the United States.
    private static let bound: Set = [
        "platform.address.postalCodeExample", "platform.address.postalCodePattern",
        "platform.analytics.collector.service", "platform.environment.default",
        "platform.networking.defaultService",
    ]

    @Test func siteAndAppFilesReadOnlyKeysThatVaryByBuild() throws {
        let declaration = MarketSchema(.platform).declaration
        let base = try #require(try files(with: []))
        var read: Set<String> = []
        var unchanged: Set<String> = []
        var failed: Set<String> = []
        /// Examines changes of different keys together, and each half alone if that has errors or other files.
        func examine(_ changes: ArraySlice<KeyChange>) throws {
            guard !changes.isEmpty else { return }
            let paths = changes.map { "\($0.path)" }
            let changed = try files(with: Array(changes))
            if changed == base { return unchanged.formUnion(paths) }
            guard changes.count > 1 else {
                if changed == nil { failed.formUnion(paths) } else { read.formUnion(paths) }
                return
            }
            let middle = changes.startIndex + changes.count / 2
            try examine(changes[..<middle])
            try examine(changes[middle...])
        }
        // The routes are in the files too, but may vary more often: the files have those of one situation.
        let changes = declaration.changes(of: try loader.load("us").source.value).filter { change in
            change.path.elements.first.map { ![.key("id"), .key("extends"), .key("routables")].contains($0) } == true
                && declaration.type(at: change.path)?.section == nil
        }
        var rounds: [[KeyChange]] = []
        for (path, changes) in Dictionary(grouping: changes, by: { "\($0.path)" }).sorted(by: { $0.key < $1.key }) {
            // In a group, these would only be searched for.
            if Self.expected.contains(path) || Self.bound.contains(path) {
                for change in changes where !read.contains(path) { try examine([change]) }
                continue
            }
            for (round, change) in changes.enumerated() {
                if !rounds.indices.contains(round) { rounds.append([]) }
                rounds[round].append(change)
            }
        }
        for round in rounds { try examine(round.filter { !read.contains("\($0.path)") }[...]) }
        #expect(read == Self.expected)
        for key in read {
            let path = try #require(ConfigurationPath(parsing: key))
            #expect(declaration.pace(at: path) <= .build, "\(key) is in a file of a build")
        }
        #expect(failed.subtracting(read).subtracting(unchanged) == Self.bound)
        #expect(unchanged.count > 60)
    }
}
