import GlassBase
@testable import GlassMarketFiles
import GlassMarkets
import GlassSchema
import Testing
import MarketTesting

/// Cached analyses of file texts.
@Suite(.timeLimit(.minutes(1))) struct SourceReadingsTests {
    private let mistaken = "return { id = \"xx\", name = \"Test\", extends = \"us\", retry = { maxRetries = \"4\" } }"

    private func check(_ loader: MarketLoader, _ id: String) throws -> (findings: [String], steps: Int) {
        let budget = WorkBudget(cpuTime: MarketFixture.patientLimits.load)
        let check = try loader.check(id, budget: budget)
        return (check.findings.map(\.description), budget.steps)
    }

    /// What is reused counts as if it were made again: what fits into a limit must not depend on which load came first.
    @Test func unchangedTextIsNotAnalyzedAgain() throws {
        let fixture = try MarketFixture(["xx.lua": mistaken])
        let loader = fixture.loader(limits: MarketFixture.patientLimits)
        let cache = SourceAnalysisCache()
        let remembering = loader.remembering(cache)
        for id in ["xx", "us", "ca"] {
            let first = try check(loader, id)
            let remembered = try check(remembering, id)
            let again = try check(remembering, id)
            #expect(remembered == first)
            #expect(again == first)
            let file = try #require(try loader.check(id).files.first)
            #expect(cache.tree(of: file.file, file.bytes) != nil)
        }
    }

    @Test func changedTextIsAnalyzedAgain() throws {
        let fixture = try MarketFixture(["xx.lua": mistaken])
        let loader = fixture.loader(limits: MarketFixture.patientLimits).remembering(SourceAnalysisCache())
        let before = try check(loader, "xx").findings
        try fixture.write("\n\n" + mistaken, to: "xx.lua")
        let after = try check(loader, "xx").findings
        #expect(before.contains { $0.contains("xx.lua:1:") })
        #expect(after == before.map { $0.replacing("xx.lua:1:", with: "xx.lua:3:") })
    }

    @Test func analysisCutShortByBudgetIsNotCached() throws {
        let fixture = try MarketFixture(["xx.lua": mistaken])
        let loader = fixture.loader(limits: MarketFixture.patientLimits)
        let remembering = loader.remembering(SourceAnalysisCache())
        let little = WorkBudget(cpuTime: .seconds(20), work: [.positions: 200])
        _ = try remembering.check("xx", budget: little)
        #expect(little.exceeded != nil)
        #expect(try check(remembering, "xx").findings == check(loader, "xx").findings)
    }
}
