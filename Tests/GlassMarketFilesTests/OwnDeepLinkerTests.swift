import Foundation
import GlassContainer
import GlassDeepLinking
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing
import MarketTesting

/// A market whose deep linker is an app's own class has the same findings and behavior as one with the router.
struct OwnDeepLinkerTests {
    static let routables = """
        routables = {
          en = { paths = { "x/en/:id" }, handle = function() return true end },
          fr = { paths = { "x/fr/:id" }, handle = function() return true end },
          both = { paths = { "x/:l(en|fr)/:id" }, handle = function() return true end },
        }
        """

    private let fixture: MarketFixture

    init() throws {
        fixture = try MarketFixture([
            "xx.lua": "return { id = \"xx\", name = \"Test\", extends = \"us\", \(Self.routables) }"
        ])
    }

    private func loader(own: Bool) -> MarketLoader {
        MarketLoader(
            own ? .platformInMemory.overriding(services: [.ownDeepLinker]) : .platformInMemory,
            folder: MarketFolder(path: fixture.folder.path), secrets: { _ in "s" })
    }

    @Test func unreachableRouteIsReported() throws {
        let findings = try loader(own: true).check("xx").findings
        #expect(findings.map(\.code) == [.routeShadowed])
        #expect(try findings == loader(own: false).check("xx").findings)
    }

    @Test(arguments: ["x/:l(en)/:id", "a/:b(integer)"]) func invalidPatternIsReported(pattern: String) throws {
        try fixture.write(
            """
            return { id = "xx", name = "Test", extends = "us", routables = {
              one = { paths = { "x/:l(en)/:id" }, handle = function() return true end },
              two = { paths = { "\(pattern)" }, handle = function() return true end },
            } }
            """, to: "xx.lua")
        let findings = try loader(own: true).check("xx").findings
        #expect(findings.contains { $0.severity == .error })
        #expect(try findings == loader(own: false).check("xx").findings)
    }

    @Test func linkFeaturesWorkLikeWithRouter() throws {
        let (own, router) = (try loader(own: true).load("xx"), try loader(own: false).load("xx"))
        #expect(DeepLinkerMock(behind: own.deepLinker)?.opened == [] && router.deepLinker is DeepLinkRouter)
        let us = try loader(own: true).load("us")
        for link in ["walmart://x/en/1", "walmart://x/em/1", "walmart://account", "nope://x", "https://a@b.com/"] {
            #expect(own.explain(link, others: [us]) == router.explain(link, others: [us]), "\(link)")
        }
        #expect(try own.link(to: "en", parameters: ["id": "7"]) == "walmart://x/en/7")
        #expect(try own.translate("walmart://cart", to: us) == router.translate("walmart://cart", to: us))
        #expect(own.findings(against: us) == router.findings(against: us))
        #expect(own.deepLinker.table.worstVisits == router.deepLinker.table.worstVisits)
    }
}

extension Service {
    /// A deep linker that is not a `DeepLinkRouter`.
    static let ownDeepLinker = Service((any DeepLinker).self, requires: [DeepLinkConfiguration.self], "A mock.") { c in
        DeepLinkerMock(configuration: c.get(), outcome: { _ in nil }).deepLinker
    }
}
