import Foundation
import Testing

@testable import GlassDeepLinking

@Suite struct SiteFilesTests {
    private let app = SiteApp(
        appleAppIDs: ["TEAM.com.example"], androidPackage: "com.example", androidFingerprints: ["AA:BB"])

    private func files(_ patterns: [String]) throws -> SiteFiles {
        let declarations = patterns.map { RouteDeclaration(pattern: $0, routableID: "r") }
        return SiteFiles(table: try RouteTable(declarations), configuration: .us, app: app)
    }

    struct Vector: Decodable, Sendable {
        let kind: String
        let pattern: String
        let path: String
        let match: Bool
    }

    @Test func androidPatternsFollowTheVectors() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/android_pattern_vectors.json")
        let vectors = try JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
        #expect(vectors.count == 27)
        for vector in vectors {
            let kind = try #require(AndroidPattern.Kind(rawValue: vector.kind))
            let pattern = AndroidPattern(kind: kind, text: vector.pattern)
            #expect(pattern.matches(vector.path) == vector.match, "\(vector)")
        }
    }

    @Test(arguments: [
        ("/a/*", "/a/b/c", true), ("/a/*", "/a/", true), ("/a/?*", "/a/", false), ("/a/?*/z", "/a/b/c/z", true),
        ("/a", "/A", true), ("/a?c", "/a/c", true), ("/a", "/a/", false), ("*", "", true),
    ])
    func appleComponentsFollowTheRules(pattern: String, path: String, isMatch: Bool) {
        let component = AppleComponent(path: pattern, query: [], isExcluded: false, ordinal: 0)
        #expect(component.matches(path: path, query: "") == isMatch)
    }

    @Test func exactRoutesClaimExactlyTheirLinks() throws {
        let files = SiteFiles(table: try DeepLinkRouter.standard().table, configuration: .us, app: app)
        #expect(files.selfTest() == [])
        let labels = files.table.patterns.indices.map { files.labels(of: $0)[0].fit }
        #expect(labels.count { $0 == .exact } > 20)
    }

    @Test(arguments: 0..<30)
    func selfTestHoldsForRandomTables(seed: Int) throws {
        var random = SplitMix64(state: UInt64(seed))
        let parts = ["a", "b", "c.d", ":p", ":p(int)", ":p(en|fr)", ":p(slug)", ":p(alnum)"]
        var patterns: [String] = []
        for _ in 0..<12 {
            var segments = (0..<Int.random(in: 0...3, using: &random)).map { place -> String in
                parts.randomElement(using: &random)!.replacingOccurrences(of: ":p", with: ":p\(place)")
            }
            if Int.random(in: 0..<5, using: &random) == 0 { segments.append("*r") }
            let text = segments.joined(separator: "/") + (Int.random(in: 0..<5, using: &random) == 0 ? "?q" : "")
            if (try? files(patterns + [text])) != nil { patterns.append(text) }
        }
        let failures = try files(patterns).selfTest()
        #expect(failures == [], "seed \(seed): \(patterns)")
    }

    @Test func selfTestCanFail() throws {
        // Android's labels would be wrong without their rule: the claim itself shows that the evaluator sees it.
        let files = try files(["ip/:id"])
        #expect(files.appleClaim(path: "/ip/7") == 0)
        #expect(files.appleClaim(path: "/ip/7/") == 0)
        #expect(files.appleClaim(path: "/ip/7/8") == nil)
        #expect(files.appleClaim(path: "/ip/") == nil)
    }

    @Test(arguments: [
        ("cart", "exact exact over"), ("ip/:id", "exact exact over"), ("ip/:id(int)", "over under over"),
        ("search?q", "exact over over"), ("help/*rest", "exact exact over"), ("caf\u{E9}", "under exact over"),
        ("x/:l(en|fr)", "exact exact over"),
    ])
    func routesAreLabelled(pattern: String, fits: String) throws {
        let labels = try files([pattern]).labels(of: 0)
        #expect(labels.map(\.fit.rawValue).joined(separator: " ") == fits)
    }

    @Test func filesAreWellFormed() throws {
        let files = try files(["cart", "ip/:id", "search?q"])
        for text in [files.appleAppSiteAssociation, files.assetLinks] {
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
        }
        #expect(files.appleAppSiteAssociation.contains(#"{"/": "/search", "?": {"q": "?*"}, "comment": "r"}"#))
        #expect(files.appleAppSiteAssociation.contains(#"{"/": "/ip/?*/?*", "exclude": true, "comment": "r"}"#))
        #expect(files.intentFilters.contains(#"android:pathAdvancedPattern="/[iI][pP]/[^/]+[/]{0,1}""#))
        #expect(files.infoPlist.contains("<string>walmart</string>"))
        #expect(files.associatedDomains.contains("<string>applinks:www.walmart.com</string>"))
        #expect(files.supportedLinks.contains("| r | `ip/:id` | exact | exact |"))
        #expect(files.warnings == ["below API level 31 the intent filter claims every path of its hosts"])
    }

    @Test func tooLargeAFileIsReported() throws {
        let warnings = try files((0..<2_000).map { "feature\($0)/part" }).warnings
        #expect(warnings.contains { $0.hasPrefix("apple-app-site-association has ") })
    }
}
