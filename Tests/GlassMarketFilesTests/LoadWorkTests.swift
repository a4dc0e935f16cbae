import Foundation
import GlassBase
import GlassSchema
import LuaBridge
import TestSupport
import Testing

@testable import GlassMarketFiles
@testable import GlassMarkets
import MarketTesting

/// How the counted work of each phase of a load grows with the market, and how exceeding the budget is reported.
@Suite(.timeLimit(.minutes(5)))
struct LoadWorkTests {
    /// A market of a given size, as files in addition to the real ones, for the phase under test.
    struct Input: Sendable, CustomTestStringConvertible {
        let phase: WorkBudget.Phase
        let what: String
        let files: @Sendable (_ size: Int) -> [String: String]

        var testDescription: String { "\(phase): \(what)" }

        /// A market with a table that one line of Lua creates.
        static func market(
            _ phase: WorkBudget.Phase, _ what: String, _ body: @escaping @Sendable (Int) -> String
        ) -> Input {
            Input(phase: phase, what: what) { size in ["zz.lua": body(size)] }
        }
    }

    static let inputs: [Input] = [
        .market(.reading, "files included again and again") { size in
            "local l = {} for i = 1, \(size / 8) do l[i] = include \"big.lua\" end return { id = \"zz\", l = l }"
        },
        .market(.reading, "files that cannot be included") { size in
            "local l = {} for i = 1, \(size) do l[i] = include(\"none\" .. i) end return { id = \"zz\", l = l }"
        },
        .market(.positions, "names in functions") { size in
            "return { id = \"zz\", f = function() " + (0..<size).map { "x\($0)(y, z) " }.joined() + "end }"
        },
        .market(.positions, "tokens before a syntax error") { size in
            "return { id = \"zz\", " + (0..<size).map { "k\($0) = { 1, 2, 3 }," }.joined() + " = }"
        },
        .market(.validating, "values beside an error") { size in
            "local t = {} for i = 1, \(size) do t[\"k\" .. i] = { paths = { \"k\" .. i, \"\" } } end return { id = \"zz\", extends = \"us\", routables = t }"
        },
        .market(.evaluating, "keys") { size in
            "local t = { id = \"zz\" } for i = 1, \(size) do t[\"k\" .. i] = i end return t"
        },
        .market(.evaluating, "words in words") { size in
            "local w = append { 1 } local l = {} for i = 1, \(size / 10) do l[i] = append { w, w, w } end return { id = \"zz\", l = l }"
        },
        .market(.positions, "keys that are written out") { size in
            "return { id = \"zz\", " + (0..<size).map { "k\($0)=1," }.joined() + "}"
        },
        .market(.positions, "wrong patterns, each with a byte of its own") { size in
            "return { id = \"zz\", extends = \"us\", platform = { address = { postalCodePattern = \""
                + String(repeating: " ", count: size) + "(\" } } }"
        },
        .market(.validating, "unknown keys") { size in
            "local t = { id = \"zz\" } for i = 1, \(size) do t[\"k\" .. i] = i end return t"
        },
        .market(.validating, "headers") { size in
            "local t = {} for i = 1, \(size) do t[\"X-\" .. i] = \"v\" end return { id = \"zz\", extends = \"us\", platform = { networking = { headers = t } } }"
        },
        .market(.suggesting, "misspelled keys") { size in
            "local t = {} for i = 1, \(size) do t[\"maxRetrie\" .. i] = i end return { id = \"zz\", extends = \"us\", platform = { networking = { retry = t } } }"
        },
        .market(.suggesting, "choices that are none") { size in
            "local t = {} for i = 1, \(size) do t[\"k\" .. i] = { type = \"bolean\" .. i } end return { id = \"zz\", extends = \"us\", platform = { preferences = { keys = t } } }"
        },
        Input(phase: .merging, what: "keys over keys") { size in
            let keys = "for i = 1, \(size) do t[\"k\" .. i] = { i } end return t"
            return [
                "yy.lua": "local t = { id = \"yy\" } \(keys)",
                "zz.lua": "local t = { id = \"zz\", extends = \"yy\" } \(keys)",
            ]
        },
        Input(phase: .merging, what: "elements that are removed") { size in
            [
                "yy.lua":
                    "local t = {} for i = 1, \(size) do t[i] = \"x\" .. i end return { id = \"yy\", locales = t }",
                "zz.lua":
                    "local t = {} for i = 1, \(size) do t[i] = \"y\" .. i end return { id = \"zz\", extends = \"yy\", locales = remove(t) }",
            ]
        },
        Input(phase: .merging, what: "keys that are unset") { size in
            [
                "yy.lua": "local t = { id = \"yy\" } for i = 1, \(size) do t[\"k\" .. i] = i end return t",
                "zz.lua":
                    "local t = { id = \"zz\", extends = \"yy\" } for i = 1, \(size) do t[\"l\" .. i] = unset end return t",
            ]
        },
    ]

    private func steps(of input: Input, size: Int) throws -> Int {
        var files = input.files(size)
        files["big.lua"] = "return \"" + String(repeating: "x", count: 4096) + "\""
        let fixture = try MarketFixture(files)
        let budget = WorkBudget(cpuTime: .seconds(600))
        var limits = MarketLimits()
        limits.evaluation.cpuTime = .seconds(60)
        _ = try fixture.loader(limits: limits).check("zz", budget: budget)
        #expect(budget.exceeded == nil)
        return budget.steps(of: input.phase)
    }

    @Test(arguments: inputs)
    func workGrowsAtMostLinearlyWithMarket(input: Input) throws {
        // The base cost of a load is not growth; beyond a hundred findings the work may stop growing.
        let base = try steps(of: input, size: 8)
        let work = try [400, 800, 1600].prefix(rounds(all: 3, few: 2)).map { try steps(of: input, size: $0) - base }
        #expect(work[0] > 0, "the input does not reach the phase: \(work)")
        for (less, more) in zip(work, work.dropFirst()) { #expect(more <= less * 5 / 2, "\(work)") }
        #expect(try steps(of: input, size: 400) - base == work[0], "the count differs from run to run")
    }

    /// The order of a dictionary differs between processes, but here it is the same for the same keys: work that
    /// depends on the order shows as a nonlinear count.
    @Test func stepsDoNotDependOnOrderOfKeys() throws {
        let input = Input(phase: .merging, what: "a word among the keys of a market that extends nothing") { size in
            [
                "zz.lua":
                    "local t = { id = \"zz\", w = append { 1 } } for i = 1, \(size) do t[\"k\" .. i] = i end return t"
            ]
        }
        let work = try [400, 800, 1600].map { try steps(of: input, size: $0) }
        #expect(work[2] - work[1] == 2 * (work[1] - work[0]), "\(work)")
    }

    @Test(arguments: [
        (WorkBudget.Phase.reading, "reading the files takes more than 0 steps"),
        (.evaluating, "reading the returned values takes more than 0 steps"),
        (.merging, "merging takes more than 0 steps"),
        (.validating, "validating takes more than 0 steps"),
        (.positions, "finding the positions of values takes more than 0 steps"),
    ])
    func exceededBudgetIsOneFindingWithPhaseAndLimit(phase: WorkBudget.Phase, text: String) throws {
        let fixture = try MarketFixture()
        let check = try fixture.loader().check("ca", budget: WorkBudget(cpuTime: .seconds(60), work: [phase: 0]))
        #expect(check.market == nil)
        #expect(
            check.findings.filter { $0.severity == .error }.map(\.description) == [
                """
                \(fixture.folder.path)/ca.lua:1:1: error: \(text) [limit]
                  hint: the limit covers the market and all files it extends and includes: reduce their size
                """
            ])
    }

    /// The positions of values, names, a byte of a string and the fix of a finding come from one tree of the text.
    @Test func textIsParsedOnceInLoad() throws {
        /// The steps for a market with findings of these kinds and a comment, which costs only its parsing.
        func steps(commentBytes: Int) throws -> Int {
            let fixture = try MarketFixture([
                "zz.lua": """
                --[[\(String(repeating: "x", count: commentBytes))]] return {
                    id = "zz", extends = "us", nmae = "Z", platform = { address = { postalCodePattern = "ab(" } },
                }
                """
            ])
            let budget = WorkBudget(cpuTime: .seconds(60))
            let check = try fixture.loader(limits: MarketFixture.patientLimits).check("zz", budget: budget)
            let errors = check.findings.filter { $0.severity == .error }
            #expect(errors.map { $0.position?.column } == [32, 93])
            #expect(errors[0].fix != nil)
            return budget.steps(of: .positions)
        }
        #expect(try steps(commentBytes: 16 * 3_000) - steps(commentBytes: 16 * 1_000) == 2_000)
    }

    @Test func timeOfLoadIsLimited() throws {
        let fixture = try MarketFixture()
        var limits = MarketLimits()
        limits.load = .zero
        let check = try fixture.loader(limits: limits).check("ca")
        #expect(check.market == nil)
        let finding = try #require(check.findings.first { $0.code == .limit })
        #expect(finding.message.hasSuffix("exceeded the total limit of 0 ms of CPU time"))
    }

    @Test func memoryOfMarketIsLimited() throws {
        let fixture = try MarketFixture([
            "zz.lua": """
            local l = {} for i = 1, 9000 do l[i] = i end
            local w, m = append(l), {} for i = 1, 100 do m[i] = w end
            return { id = "zz", m = m }
            """
        ])
        // The byte limit should be reached before the time limit, which an unoptimized build approaches sooner.
        var limits = MarketLimits()
        limits.load = .seconds(60)
        let text = try fixture.loader(limits: limits).check("zz").findings.map(\.description).joined()
        #expect(text.contains("reading the returned values takes more than 64 MB of memory"), "\(text)")
    }

    /// Directives can contain directives, so a few lines of Lua can stand for any number of values, or any depth.
    @Test(arguments: [
        "local w = append { 1, 2 } for i = 1, 60 do w = append { w, w } end return { id = \"zz\", l = w }",
        "local w = append { 1, 2 } for i = 1, 40000 do w = append { w } end return { id = \"zz\", l = w }",
        "local w = remove { 1, 2 } for i = 1, 30 do w = { w, w, remove { w } } end return { id = \"zz\", l = w }",
    ])
    func nestedDirectivesAreLimited(source: String) throws {
        let check = try MarketFixture(["zz.lua": source]).loader().check("zz")
        #expect(check.market == nil)
        #expect(check.findings.contains { [.limit, .tooLarge, .runtime].contains($0.code) })
    }
}
