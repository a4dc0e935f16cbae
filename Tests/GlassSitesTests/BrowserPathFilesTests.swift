import Foundation
import GlassBase
import GlassDeepLinking
import GlassSchema
import Testing

@testable import GlassSites

/// The files of markets that keep paths in the browser.
@Suite struct BrowserPathFilesTests {
    private static func market(
        of id: String = "us", _ browser: [String], _ patterns: [String]
    ) throws -> SiteInput.Market {
        var market = try SiteInput.Market.make(
            id, hosts: ["example.com"], schemes: ["example"], app: .us, patterns: patterns)
        market.browser = browser.map(BrowserPath.init)
        return market
    }

    private static func files(_ browser: String..., patterns: [String]) throws -> SiteFiles {
        try SiteFiles(SiteInput(markets: [market(browser, patterns)]))
    }

    private static func served(_ text: String) -> ServedFile {
        ServedFile(
            host: "example.com", kind: .siteAssociation, place: "x", content: .bytes(Array(text.utf8)),
            contentType: "application/json")
    }

    /// The findings about a file, except for the host without `www.`.
    private static func findings(_ files: SiteFiles, _ text: String) -> [SiteFinding] {
        files.verify([served(text)], budget: .unlimited).filter { $0.code != .unlistedHost }
    }

    @Test func exclusionsComeFirst() throws {
        let files = try Self.files("help/*", "café", patterns: ["*rest", "cart"])
        let components = try files.siteAssociation(host: "example.com").split(separator: "\n")
            .filter { $0.contains("\"/\":") }
        #expect(
            components.prefix(4).map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " ,")) } == [
                #"{ "/": "/help", "exclude": true, "comment": "stays in the browser" }"#,
                #"{ "/": "/help/*", "exclude": true, "comment": "stays in the browser" }"#,
                #"{ "/": "/caf%C3%A9", "exclude": true, "comment": "stays in the browser" }"#,
                #"{ "/": "/caf%C3%A9/", "exclude": true, "comment": "stays in the browser" }"#,
            ])
        #expect(components.dropFirst(4).allSatisfy { !$0.contains("stays") })
        #expect(Self.findings(files, try files.siteAssociation(host: "example.com")) == [])
    }

    /// A file whose exclusions come after the routes, or are missing, opens the app for links that its gate refuses.
    @Test func laterExclusionsAreFound() throws {
        let files = try Self.files("help/*", patterns: ["*rest"])
        let lines = try files.siteAssociation(host: "example.com").components(separatedBy: "\n")
        let kept = lines.indices.filter { lines[$0].contains("stays in the browser") }
        #expect(kept.count == 2)
        var late = lines
        let last = try #require(lines.lastIndex { $0.contains("\"/\":") })
        for index in kept.reversed() {
            late.insert(late[index], at: last + 1)
            late.remove(at: index)
        }
        // The last component has no comma behind it.
        late[last - kept.count] += ","
        late[last] = String(late[last].reversed().drop { $0 == "," || $0 == " " }.reversed())
        let missing = lines.indices.filter { !kept.contains($0) }.map { lines[$0] }
        for text in [late, missing] {
            let found = Self.findings(files, text.joined(separator: "\n"))
            #expect(found.map(\.code) == [.keptInBrowser], "\(found)")
            #expect(found.first?.severity == .error)
            #expect(
                found.first?.links == [
                    "https://example.com/help", "https://example.com/help/zq7700013x",
                    "https://example.com/help/zq7700013x/y",
                ])
        }
    }

    /// The reverse: a site excludes a path that the market routes.
    @Test func exclusionsThatTheMarketLacksAreMissedRoutes() throws {
        let keeping = try Self.files("help/*", patterns: ["help/:topic", "cart"])
        let routing = try Self.files(patterns: ["help/:topic", "cart"])
        let text = try keeping.siteAssociation(host: "example.com")
        #expect(Self.findings(routing, text).map(\.code) == [.missedRoute])
        #expect(Self.findings(keeping, text) == [])
    }

    /// No file claims or loses a link for a reason that the labels do not have.
    @Test func labelsExplainEveryLink() throws {
        let routes = [
            "help", "help/:topic", "help/*rest", "HELP/a", "store-finder", "s/:id(int)", "s/:id?", "cart", "/", "A-:id",
            "x/:l(en|fr)", "find?q",
        ]
        for browser in [
            ["help/*"], ["store-finder", "s/*"], ["/"], ["x/en", "x/fr"], ["A-1", "help"], ["find"],
            ["help/a/*", "CART"],
        ] {
            for some in [routes, routes.filter { $0.hasPrefix("help") }, routes + ["*all"]] {
                let usable = some.contains("*all") ? some.filter { $0 != "help/*rest" } : some
                let files = try SiteFiles(SiteInput(markets: [Self.market(browser, usable)]))
                #expect(files.audit().contradictions == [], "\(browser)")
                let text = try files.siteAssociation(host: "example.com")
                #expect(Self.findings(files, text).filter { $0.severity == .error } == [], "\(browser)")
            }
        }
    }

    @Test func labelsSayWhatAndroidCannotExclude() throws {
        let files = try Self.files("help/*", patterns: ["help/:topic", "cart"])
        let audit = files.audit()
        #expect(audit.claim("help/:topic", .siteAssociation)?.label == .impossible)
        #expect(
            audit.claim("help/:topic", .siteAssociation)?.reasons.map(\.rule) == [
                "deepLinking.browser keeps its links in the browser"
            ])
        #expect(audit.claim("help/:topic", .android)?.label == .over)
        #expect(audit.claim("help/:topic", .androidDynamic)?.reasons.allSatisfy { $0.label != .exact } == true)
        #expect(audit.claim("cart", .siteAssociation)?.label == .exact)
        let filters = try files.intentFilters(package: "com.example.us.android")
        #expect(filters.contains("<!-- A filter cannot exclude paths"))
        #expect(files.findings.contains { $0.code == .browserPathsInFilter })
        #expect(files.supportedLinks().contains("Stays in the browser: `/help/*`"))
    }

    @Test func dynamicRulesExcludeFirst() throws {
        let files = try Self.files("help/*", "50 off", patterns: ["*rest", "find?q"])
        let text = try files.assetLinks(host: "example.com")
        let rules = text.split(separator: "\n").filter { $0.contains("{ \"/\"") }.map {
            $0.trimmingCharacters(in: CharacterSet(charactersIn: " ,"))
        }
        // Text with a space may be compared in two ways, so it is left to the manifest.
        #expect(
            rules == [
                #"{ "/": "/help", "exclude": true }"#, #"{ "/": "/help/", "exclude": true }"#,
                #"{ "/": "/help/*", "exclude": true }"#, #"{ "/": "*" }"#,
            ])
    }

    /// Two markets with one app and host have one file, which excludes only what both keep in the browser.
    @Test func pathOfOneMarketIsALinkOfTheOther() throws {
        func excluded(_ one: [String], _ other: [String]) throws -> [String] {
            let files = try SiteFiles(
                SiteInput(markets: [
                    Self.market(of: "us", one, ["help/:topic"]), Self.market(of: "vi", other, ["help/:topic"]),
                ])
            )
            return files.association[0].unit.browser.map(\.text)
        }
        #expect(try excluded(["help/*"], []) == [])
        #expect(try excluded([], ["help/*"]) == [])
        #expect(try excluded(["help/*"], ["help/*", "a"]) == ["help/*"])
        #expect(try excluded(["help/*"], ["help/returns"]) == ["help/returns"])
        #expect(try excluded(["help/returns"], ["help/*"]) == ["help/returns"])
    }

    @Test func pathsAreChecked() {
        #expect(throws: SiteFilesError.self) { try Self.files("help/:id", patterns: ["cart"]) }
    }
}
