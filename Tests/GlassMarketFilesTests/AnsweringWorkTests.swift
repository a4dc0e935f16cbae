import Foundation
import GlassBase
import GlassDeepLinking
import GlassPlatform
import GlassSchema
import LuaBridge
import TestSupport
import Testing

@testable import GlassMarketFiles
@testable import GlassMarkets
import MarketTesting

/// How the counted work of queries on a market grows with the market, and how exceeding the budget is reported.
@Suite(.timeLimit(.minutes(5)))
struct AnsweringWorkTests {
    /// A market of a given size.
    struct Input: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: @Sendable (_ size: Int) -> String
    }

    /// A query on a market, named after its command, and the phase that it is charged to.
    struct Question: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let phase: WorkBudget.Phase
        let ask: @Sendable (Market, WorkBudget) throws -> Void
    }

    static let inputs: [Input] = [
        Input(testDescription: "keys") { size in
            "local t = {} for i = 1, \(size) do t[\"k\" .. i] = i end return { platform = { userDefaultsRegistration = { defaults = t } }, "
        },
        Input(testDescription: "a list") { size in
            "local t = {} for i = 1, \(size / 4) do t[i] = { code = \"\" .. i, name = \"n\" .. i } end return { platform = { address = { regions = t } }, "
        },
        Input(testDescription: "custom routables") { size in
            "local r = {} for i = 1, \(size / 4) do r[\"own\" .. i] = { paths = { \"near\" .. i .. \"/x\", \"p\" .. i .. \"/:v(a|b)/c\" }, handle = function() end } end return { routables = r, "
        },
        Input(testDescription: "paths of one routable") { size in
            "local p = {} for i = 1, \(size / 8) do p[i] = \"p\" .. i .. \"/:a/\" .. i .. \"/:b\" .. i .. \"(int)\" end return { routables = { own = { paths = p, handle = function() end } }, "
        },
        Input(testDescription: "required query items") { size in
            "local p = {} for i = 1, \(size / 8) do p[i] = \"p\" .. i .. \"?x&y\" .. i end return { routables = { own = { paths = p, handle = function() end } }, "
        },
    ]

    static let questions: [Question] = [
        Question(testDescription: "explain a link", phase: .explaining) { market, budget in
            _ = try market.explain("zz://near/x/c", budget: budget)
        },
        Question(testDescription: "explain a link with many segments", phase: .explaining) { market, budget in
            _ = try market.explain("zz://p1/1/2/3/4/5/6/7/8/9?x=1", budget: budget)
        },
        Question(testDescription: "explain a key", phase: .explaining) { market, budget in
            _ = try market.effective(at: "", spending: budget, on: .explaining)
        },
        Question(testDescription: "show", phase: .listing) { market, budget in
            try market.effective.forEachLeaf(at: "", budget: budget) { _, _ in }
        },
        Question(testDescription: "routes", phase: .listing) { market, budget in
            _ = try market.routes(budget: budget)
        },
        Question(testDescription: "services", phase: .resolving) { market, budget in
            _ = try market.services(budget: budget)
        },
        Question(testDescription: "link", phase: .linking) { market, budget in
            do {
                _ = try market.link(
                    to: "own", parameters: ["a": "1", "b": "2", "x": "3", "nothing": "4"], budget: budget)
            } catch is LinkBuildingError {
                // The steps up to that point count as well.
            }
        },
        Question(testDescription: "translate", phase: .linking) { market, budget in
            _ = try market.translate("zz://account", to: market, budget: budget)
        },
    ]

    private func market(of module: MarketModule = .platformInMemory, _ input: Input, size: Int) throws -> Market {
        let fixture = try MarketFixture([
            "zz.lua": input.body(size)
                + "id = \"zz\", name = \"Z\", extends = \"us\", deepLinking = { schemes = { \"zz\" } } }"
        ])
        var limits = MarketLimits()
        limits.load = .seconds(60)
        limits.evaluation.cpuTime = .seconds(10)
        return try MarketLoader(
            module, folder: MarketFolder(path: fixture.folder.path), limits: limits, secrets: { _ in nil }
        ).load("zz")
    }

    private func steps(_ question: Question, _ market: Market) throws -> Int {
        let budget = WorkBudget(cpuTime: .seconds(600))
        try question.ask(market, budget)
        return budget.steps(of: question.phase)
    }

    @Test(arguments: inputs) func workGrowsAtMostLinearlyWithMarket(input: Input) throws {
        // Work for markets without the input is not growth.
        let base = try market(input, size: 8)
        let markets = try [200, 400, 800].prefix(rounds(all: 3, few: 2)).map { try market(input, size: $0) }
        for question in Self.questions {
            let least = try steps(question, base)
            let work = try markets.map { try steps(question, $0) - least }
            for (less, more) in zip(work, work.dropFirst()) {
                #expect(more * 2 <= less * 5, "\(question): \(work)")
            }
            #expect(
                try steps(question, market(input, size: 200)) - least == work[0],
                "\(question): the count differs from run to run")
        }
    }

    /// Each query charges its loops: its work grows with some input.
    @Test(arguments: questions) func everyQueryIsCharged(question: Question) throws {
        let grows = try Self.inputs.contains { input in
            let (small, large) = (try market(input, size: 200), try market(input, size: 800))
            return try steps(question, large) > steps(question, small) + 100
        }
        #expect(grows)
    }

    @Test(arguments: questions) func exceededBudgetNamesPhaseAndLimit(question: Question) throws {
        let market = try market(Self.inputs[2], size: 40)
        let none = WorkBudget.Exceeded(phase: question.phase, limit: .work(3))
        #expect(throws: none) { try question.ask(market, WorkBudget(work: [question.phase: 3])) }
        #expect(none.description == "\(question.phase.name) takes more than 3 steps")
    }

    /// The preconditions of a routable are repeated for each of its routes.
    @Test func sizeOfRouteListIsLimited() throws {
        let names = (1...20).map { "condition" + String(repeating: "x", count: 200) + "\($0)" }
        let module = MarketModule("many", preconditions: names.map { Precondition($0, "One of many.") })
        let market = try market(
            of: .platformInMemory.including(module),
            Input(testDescription: "") { size in
                """
                local p, n = {}, {}
                for i = 1, \(size) do p[i] = "p" .. i end
                for i = 1, 20 do n[i] = "condition" .. ("x"):rep(200) .. i end
                return { routables = { own = { paths = p, waitForPreconditions = n, handle = function() end } },
                """
            }, size: 100)
        #expect(throws: WorkBudget.Exceeded(phase: .listing, limit: .bytes(1 << 18))) {
            try market.routes(budget: WorkBudget(bytes: 1 << 18))
        }
    }

    @Test(arguments: ["locales[-9223372036854775808]", "locales[0]", "locales[9223372036854775807]"])
    func missingElementIsNil(path: String) throws {
        let market = try MarketFixture().loader().load("us")
        let path = try #require(ConfigurationPath(parsing: path))
        #expect(market.effective.node(at: path) == nil)
    }
}
