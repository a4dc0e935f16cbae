import Foundation
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing
import MarketTesting
import GlassAuthoring

/// The findings of a check compared with the base market, and the cost of the comparison.
@Suite(.timeLimit(.minutes(1)))
struct BaseComparisonTests {
    private func fixture() throws -> MarketFixture {
        try MarketFixture([
            "low.lua": """
            return { id = "low", name = "Low", extends = "us", deepLinking = { schemes = { "low" } },
              routables = { promo = { paths = { "promo/:id" }, handle = function() return true end } } }
            """,
            "high.lua": """
            return { id = "high", name = "High", extends = "low", deepLinking = { schemes = { "high" } },
              routables = { other = { paths = { "promo/:id(alnum)" }, handle = function() return true end } } }
            """,
        ])
    }

    @Test func lastLoadedBaseIsCached() throws {
        let fixture = try fixture()
        let loader = fixture.loader()
        let check = try loader.check("high")
        var comparison = BaseComparison(by: loader)
        let first = try comparison.findings(of: check)
        #expect(first.map(\.code) == [.routeMoved])
        try FileManager.default.removeItem(at: fixture.folder.appending(path: "low.lua"))
        #expect(try comparison.findings(of: check) == first)
    }

    /// Loading the base and comparing with it are part of the market's check and share its remaining time.
    @Test func missingTimeForComparisonIsReported() throws {
        let fixture = try fixture()
        let loader = fixture.loader()
        var check = try loader.check("high")
        #expect(check.timeLeft > .zero && check.timeLeft < .milliseconds(700))
        check.timeLeft = .zero
        var comparison = BaseComparison(by: loader)
        let findings = try comparison.findings(of: check)
        #expect(findings.map(\.code) == [.limit])
        #expect(findings.map(\.severity) == [.warning])
        #expect(findings.first?.position?.file.hasSuffix("high.lua") == true)
        #expect(findings.first?.message.hasPrefix("its links were not compared with those of \"low\"") == true)
        // A base that ran out of time is not cached for the next market, which may have enough.
        check.timeLeft = .seconds(60)
        #expect(try comparison.findings(of: check).map(\.code) == [.routeMoved])
    }

    /// Loops over market input need a bound: each list has a maximum count, or few possible distinct elements.
    @Test func everyListInSchemaIsBounded() {
        func unbounded(_ section: SectionDeclaration, _ path: String) -> [String] {
            section.keys.flatMap { unbounded($0.type, "\(path).\($0.name)") }
        }
        func unbounded(_ type: ValueType, _ path: String) -> [String] {
            switch type {
            case .section(let section): unbounded(section, path)
            case .list(let element, let count, let isUnique):
                (count.upperBound > 200 && !isUnique ? [path] : []) + unbounded(element, path + "[n]")
            case .map(let element, _, _): unbounded(element, path + ".*")
            case .either(let types): types.flatMap { unbounded($0, path) }
            default: []
            }
        }
        #expect(unbounded(MarketSchema(.platform).declaration, "") == [])
    }
}
