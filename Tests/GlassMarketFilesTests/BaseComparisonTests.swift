import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing

/// What a check says of the market that another one extends, and what that may take.
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

    @Test func theMarketThatWasLoadedLastIsKept() throws {
        let fixture = try fixture()
        let loader = fixture.loader()
        let check = try loader.check("high")
        var comparison = BaseComparison(by: loader)
        let first = comparison.findings(of: check)
        #expect(first.map(\.code) == [.routeMoved])
        try FileManager.default.removeItem(at: fixture.folder.appending(path: "low.lua"))
        #expect(comparison.findings(of: check) == first)
    }

    /// Loading the base and comparing belong to the check of the market: they have what it left of the time.
    @Test func withoutTimeItSaysThatNothingWasCompared() throws {
        let fixture = try fixture()
        let loader = fixture.loader()
        var check = try loader.check("high")
        #expect(check.timeLeft > .zero && check.timeLeft < .milliseconds(700))
        check.timeLeft = .zero
        var comparison = BaseComparison(by: loader)
        let findings = comparison.findings(of: check)
        #expect(findings.map(\.code) == [.limit])
        #expect(findings.map(\.severity) == [.warning])
        #expect(findings.first?.position?.file.hasSuffix("high.lua") == true)
        #expect(findings.first?.message.hasPrefix("its links were not compared with those of \"low\"") == true)
        // One that ran out is not kept for the next market, which may have the time.
        check.timeLeft = .seconds(60)
        #expect(comparison.findings(of: check).map(\.code) == [.routeMoved])
    }

    /// What a loop over what a market wrote needs is a count: a list has one, or its elements are few and differ.
    @Test func everyListOfTheSchemaHasAnEnd() {
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
