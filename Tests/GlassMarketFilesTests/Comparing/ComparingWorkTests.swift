import GlassBase
import GlassSchema
import LuaBridge
import TestSupport
import Testing

@testable import GlassMarketFiles
@testable import GlassMarkets
import MarketTesting

/// How the counted work of comparisons grows with the markets, and how exceeding the budget is reported.
@Suite(.timeLimit(.minutes(5)))
struct ComparingWorkTests {
    /// Two markets of a given size, `aa` and `bb`, each of which extends `us`.
    struct Input: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: @Sendable (_ size: Int, _ side: Int) -> String
    }

    static let inputs: [Input] = [
        Input(testDescription: "keys") { size, side in
            "local t = {} for i = 1, \(size) do t[\"k\" .. i] = i * \(side) end return { platform = { userDefaultsRegistration = { defaults = t } }, "
        },
        Input(testDescription: "lists without common elements") { size, side in
            "local t = {} for i = 1, \(max(1, size / 4)) do t[i] = { code = \"\" .. i, name = \"\(side) \" .. i } end return { platform = { address = { regions = t } }, "
        },
        Input(testDescription: "the same list reversed") { size, side in
            "local t = {} for i = 1, \(max(1, size / 4)) do local n = \(side == 1 ? "i" : "\(max(1, size / 4)) - i + 1") t[i] = { code = \"\" .. n, name = \"n\" .. n } end return { platform = { address = { regions = t } }, "
        },
        Input(testDescription: "links") { size, side in
            "local r = {} for i = 1, \(size / 4) do r[\"own\" .. i] = { paths = { \"p\" .. i .. \"/\(side)\", \"q\" .. i, \"r\" .. i, \"s\" .. i }, handle = function() end } end return { routables = r, "
        },
        Input(testDescription: "inline functions") { size, side in
            "local x = \(side) return { routables = { "
                + (0..<size / 4).map {
                    "o\($0) = { paths = { \"o\($0)\" }, handle = function() return x == \($0) end }, "
                }
                .joined() + "}, "
        },
    ]

    private func load(_ input: Input, size: Int) throws -> [Market] {
        func file(_ id: String, _ side: Int) -> String {
            input.body(size, side) + "id = \"\(id)\", name = \"N\", extends = \"us\" }"
        }
        let fixture = try MarketFixture(["aa.lua": file("aa", 1), "bb.lua": file("bb", 2)])
        var limits = MarketLimits()
        limits.load = .seconds(60)
        limits.evaluation.cpuTime = .seconds(10)
        let loader = fixture.loader(limits: limits)
        return try ["aa", "bb"].map { try loader.load($0) }
    }

    private static func generous() -> WorkBudget { WorkBudget(cpuTime: .seconds(600)) }

    private func steps(_ input: Input, size: Int) throws -> [Int] {
        let markets = try load(input, size: size)
        let (differing, matrix) = (Self.generous(), Self.generous())
        _ = try MarketDifference(markets, budget: differing)
        _ = try MarketMatrix(markets, budget: matrix)
        return [differing.steps(of: .comparing), matrix.steps(of: .merging) + matrix.steps(of: .comparing)]
    }

    @Test(arguments: inputs) func workGrowsAtMostLinearlyWithMarkets(input: Input) throws {
        // Work for markets without the input is not growth.
        let base = try steps(input, size: 0)
        let work = try [200, 400, 800].prefix(rounds(all: 3, few: 2)).map { size in
            zip(try steps(input, size: size), base).map { $0 - $1 }
        }
        for (less, more) in zip(work, work.dropFirst()) {
            for (less, more) in zip(less, more) { #expect(more * 2 <= less * 5, "\(work)") }
        }
        #expect(work[0][0] > 0)
        #expect(zip(try steps(input, size: 200), base).map { $0 - $1 } == work[0], "the count differs from run to run")
    }

    /// Elements are compared by hash and multiplicity; that is not charged per element, so it has a time limit.
    @Test func longListsAreComparedInLinearTime() throws {
        let values = (0..<10_000).map { ConfigurationValue.string("element \($0)") }
        let budget = WorkBudget(cpuTime: .seconds(2))
        let found = try StructuralDifference<ConfigurationValue>.all(
            between: [
                .list(values: values + [.integer(1), .integer(1), .integer(2)]),
                .list(values: values.reversed() + [.integer(1), .integer(3)]),
            ], spending: budget
        ).shown
        guard case .elements(let sides) = try #require(found.first).form else {
            Issue.record("\(found)")
            return
        }
        #expect(sides[0].map(\.value) == [.integer(1), .integer(2)])
        #expect(sides[1].map(\.value) == [.integer(3)])
        guard case .order = found[1].form else {
            Issue.record("\(found)")
            return
        }
        #expect(throws: Never.self) { try budget.look(in: .comparing) }
    }

    @Test func exceededBudgetNamesPhaseAndLimit() throws {
        let markets = try load(Self.inputs[0], size: 100)
        let none = WorkBudget.Exceeded(phase: .comparing, limit: .work(10))
        #expect(throws: none) { try MarketDifference(markets, budget: WorkBudget(work: [.comparing: 10])) }
        #expect(throws: none) { try MarketMatrix(markets, budget: WorkBudget(work: [.comparing: 10])) }
        #expect(throws: none) {
            try markets[0].findings(against: markets[1], budget: WorkBudget(work: [.comparing: 10]))
        }
        #expect(none.description == "comparing takes more than 10 steps")
    }
}
