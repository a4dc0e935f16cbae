import Foundation
import GlassBase
@testable import GlassMarketFiles
import GlassMarkets
import LuaBridge
import TestSupport
import Testing
import MarketTesting

/// The host's memory, comparisons and output on behalf of a script count against the script's limits.
@Suite(.timeLimit(.minutes(3)))
struct ScriptAccountTests {
    /// The time limit is generous, also under a sanitizer on a busy machine, so that the limit under test is reached
    /// first.
    private func run(
        _ source: String, megabytes: Int = 16, seconds: Double = 60, output: Int? = nil
    ) throws -> ScriptRun {
        let fixture = try MarketFixture(["scripts/s.lua": source])
        var limits = ScriptRunner.limits(seconds: seconds, megabytes: megabytes)
        if let output { limits.outputSize = output << 20 }
        let runner = ScriptRunner(markets: fixture.loader(), limits: limits) { _ in }
        return try runner.run(fixture.folder.appending(path: "scripts/s.lua").path)
    }

    @Test(arguments: [
        // Retained expectations, and expectations created from them.
        "local s, all = ('x'):rep(500000), {} while true do all[#all + 1] = glass.expect(s) end",
        "local e, all = glass.expect(('x'):rep(500000)), {} while true do all[#all + 1] = e.never end",
        // Names and failures of tests.
        "for i = 1, 10000 do glass.test(i .. ('x'):rep(1000), function() error(('y'):rep(9000)) end) end",
        // Values stored by a service, and its recorded calls.
        "local s = glass.market('us').container:get('StorageAPI') "
            + "for i = 1, 100000 do s:set('n', 'k' .. i, ('x'):rep(9000)) end",
    ])
    func memoryOfHostCountsAgainstLimit(source: String) throws {
        let failure = try #require(try run(source).failure)
        #expect(failure.message == "memory limit exceeded: 16 MB")
    }

    /// A directive in a market file holds a copy of its list.
    @Test(arguments: [("keep = append(big)", "time limit"), ("keep = { keep, append(big) }", "memory limit")])
    func directivesCountAgainstLimits(work: String, limit: String) throws {
        let source = """
            local big, keep = { ("x"):rep(100000) }
            while true do \(work) end
            """
        #expect(try MarketFixture(["xx.lua": source]).diagnostics("xx").contains("\(limit) exceeded"))
    }

    /// Markets with 4 MB of Lua memory, and ways to retain one: however it is retained, its memory counts for the
    /// script.
    @Test(arguments: [
        ("for _, id in ipairs(glass.markets()) do glass.market(id) end", false),
        ("keep[i] = glass.market('z1').container", true),
        ("keep[i] = glass.market('z1').container:get('DeepLinker')", true),
        ("keep[i] = glass.market('z1').preconditions", true),
    ])
    func retainedMarketsCountAgainstMemoryLimit(work: String, isolates: Bool) throws {
        var files: [String: String] = [:]
        for index in 0..<8 {
            files["z\(index).lua"] = """
                local big = ("x"):rep(4000000)
                return { id = "z\(index)", name = "Z", extends = "us", deepLinking = { schemes = { "z\(index)" } },
                  routables = { own = { paths = { "own" }, handle = function() return #big > 0 end } } }
                """
        }
        let source = "local keep = {} for i = 1, 8 do glass.test('t' .. i, function() \(work) end) end"
        files["scripts/s.lua"] = source
        let fixture = try MarketFixture(files)
        let runner = ScriptRunner(
            markets: fixture.loader(), limits: ScriptRunner.limits(seconds: 60, megabytes: 24)
        ) { _ in }
        let path = fixture.folder.appending(path: "scripts/s.lua").path
        let failure = try #require(try runner.run(path, tests: ScriptTests(isolatesMarkets: isolates)).failure)
        #expect(failure.message == "memory limit exceeded: 24 MB")
        // In sequence, with none retained, there is room for any number.
        try fixture.write(source.replacing("keep[i] =", with: "local one ="), to: "scripts/s.lua")
        guard isolates else { return }
        let run = try runner.run(path, tests: ScriptTests(isolatesMarkets: true))
        #expect(run.failure == nil && run.report.passed == 8)
    }

    /// A market of 1 MB whose handlers retain another 1 MB per call, or take 50 ms.
    private static let growing = """
        local keep = {}
        return { id = "zz", name = "Z", extends = "us", deepLinking = { schemes = { "zz" } },
          routables = {
            grow = { paths = { "grow" }, handle = function() keep[#keep + 1] = ("x"):rep(1000000) .. #keep end },
            wait = { paths = { "wait" }, waitForPreconditions = { "storeSelected" }, handle = function() for i = 1, 9 do keep[i] = ("x"):rep(1000000) .. i end end },
            work = { paths = { "work" }, handle = function() for i = 1, 1000000 do keep[1] = i end end },
          } }
        """

    private func runWithGrowing(_ source: String, _ limits: LuaLimits, isolates: Bool = false) throws -> ScriptRun {
        let fixture = try MarketFixture(["zz.lua": Self.growing, "scripts/s.lua": source])
        var markets = MarketLimits()
        markets.handle.cpuTime = .seconds(10)
        let runner = ScriptRunner(markets: fixture.loader(limits: markets), limits: limits) { _ in }
        return try runner.run(
            fixture.folder.appending(path: "scripts/s.lua").path, tests: ScriptTests(isolatesMarkets: isolates))
    }

    @Test(arguments: [
        "local m = glass.market('zz') for i = 1, 9 do m:open('zz://grow') end",
        """
        local m = glass.market('zz') m.preconditions:reset('storeSelected') m:open('zz://wait')
        m.preconditions:satisfy('storeSelected')
        """,
    ])
    func growthOfMarketCountsForScript(work: String) throws {
        // Room for the market, or for the market after it has grown, in addition to what the script allocates.
        let source = "\(work) local own = ('x'):rep(8000000) .. 1"
        let failure = try #require(
            try runWithGrowing(source, ScriptRunner.limits(seconds: 60, megabytes: 16)).failure)
        #expect(failure.message == "memory limit exceeded: 16 MB")
        #expect(try runWithGrowing(source, ScriptRunner.limits(seconds: 60, megabytes: 48)).failure == nil)
    }

    @Test func growthOfMarketIsReleasedWithIt() throws {
        let source = """
            for i = 1, 8 do glass.test('t' .. i, function()
              local m = glass.market('zz') for j = 1, 7 do m:open('zz://grow') end
            end) end
            """
        let limits = ScriptRunner.limits(seconds: 60, megabytes: 16)
        let run = try runWithGrowing(source, limits, isolates: true)
        #expect(run.failure == nil)
        #expect(run.report.passed == 8)
    }

    /// Handlers run on the thread of their market, whose CPU time the clock of the script's thread does not include.
    @Test func timeOfHandlersCountsForScript() throws {
        var limits = LuaLimits.script
        limits.cpuTime = .milliseconds(300)
        let start = ContinuousClock.now
        let run = try runWithGrowing(
            "local m = glass.market('us') m = glass.market('zz') while true do m:open('zz://work') end", limits)
        #expect(run.failure?.message.contains("time limit") == true)
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test(arguments: [true, false]) func marketLoadsWithinRemainingTimeOfScript(hasClock: Bool) throws {
        let fixture = try MarketFixture([
            "zz.lua": "while true do end", "scripts/s.lua": "pcall(glass.market, 'zz') while true do end",
        ])
        var markets = MarketLimits()
        (markets.load, markets.evaluation.cpuTime) = (.seconds(60), .seconds(60))
        var limits = ScriptRunner.limits(seconds: 0.5, megabytes: 64)
        if !hasClock { limits.wallTime = nil }
        let start = ContinuousClock.now
        let runner = ScriptRunner(markets: fixture.loader(limits: markets), limits: limits) { _ in }
        let run = try runner.run(fixture.folder.appending(path: "scripts/s.lua").path)
        #expect(run.failure?.message.hasPrefix("time limit exceeded: ") == true)
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    /// A query on a market gets the script's remaining time, and if that runs out, the script's limit is reported.
    @Test func queryExceedingRemainingTimeReachesTimeLimit() throws {
        for work in [
            "local c = m.config", "local r = m.routes", "m:explain('walmart://x')", "pcall(m.link, m, 'item')",
        ] {
            let run = try run("local m = glass.market('us') while true do \(work) end", seconds: 0.3)
            #expect(run.failure?.message == "time limit exceeded: 300 ms", "\(work)")
        }
    }

    @Test func unreferencedExpectationsAreReleased() throws {
        let source = "local s = ('x'):rep(500000) for i = 1, 300 do glass.expect(s):toContain('x') end"
        #expect(try run(source).failure == nil)
    }

    @Test func repeatedServiceAccessUsesNoMemory() throws {
        let source = """
            local m = glass.market("us")
            for i = 1, 12000 do m.container:get("AppInfoAPI"):build() end
            """
        #expect(try run(source).failure == nil)
    }

    @Test func servicesOfSameTypeAreSeparate() throws {
        let source = """
            local us, ca = glass.market("us").container, glass.market("ca").container
            us:get("StorageAPI"):set("n", "k", "us")
            ca:get("StorageAPI"):set("n", "k", "ca")
            glass.expect(us:get("StorageAPI"):get("n", "k")):toBe("us")
            glass.expect(ca:get("StorageAPI"):get("n", "k")):toBe("ca")
            """
        #expect(try run(source).failure == nil)
    }

    @Test func longTestNamesAndErrorsAreTruncated() throws {
        let tests = try run(
            "glass.test(('n'):rep(5000), function() error(('e'):rep(50000)) end) glass.test('b', function() end)"
        ).report.tests
        #expect(tests.map(\.name) == [String(repeating: "n", count: 256) + "…", "b"])
        #expect(tests[0].failure?.message == String(repeating: "e", count: 16 * 1024) + "…")
    }

    /// The output that a script may have in the next two tests, in MB; nil for the 16 MB of scripts.
    private static let output = runsAllRounds ? nil : 1

    @Test func reportCountsAsOutput() throws {
        let source = "for i = 1, 10000 do glass.test(i, function() error(('y'):rep(9000)) end) end"
        let failure = try #require(
            try run(
                "tostring = tostring " + source.replacing("glass.test(i,", with: "glass.test('t' .. i,"),
                megabytes: 256, output: Self.output
            ).failure)
        #expect(failure.message.contains("output limit"))
    }

    /// An escape character is one byte in an error but six in a report.
    @Test func reportCountsAsDisplayed() throws {
        let run = try run(
            "local line = ('\\27x'):rep(1000) for i = 1, 10000 do glass.test('t' .. i, function() error(line) end) end",
            megabytes: 256, output: Self.output)
        #expect(run.failure?.message == "output limit exceeded: \(Self.output ?? 16) MB")
        let shown = run.report.tests.reduce(0) {
            $0 + DisplayText($1.name).byteCount + DisplayText($1.failure?.message ?? "").byteCount
        }
        #expect(shown < (Self.output ?? 16) << 20)
    }

    @Test func scriptHasAtMostTenThousandTests() throws {
        let run = try run("for i = 1, 10001 do glass.test('t' .. i, function() end) end")
        #expect(run.report.passed == 10_000)
        #expect(run.failure?.message == "a script may have at most 10000 tests")
    }

    @Test func largeTablesAreComparedInLinearTime() throws {
        let run = try run(
            """
            local a, b = {}, {}
            for i = 1, 20000 do a["k" .. i] = i b["k" .. i] = i end
            glass.expect(a):toEqual(b)
            for i = 1, 30 do b["k" .. i] = 0 end
            b.extra = true
            glass.expect(a):toEqual(b)
            """, megabytes: 64, seconds: 10)
        let lines = try #require(run.failure).message.split(separator: "\n")
        #expect(lines.count == 22)
        #expect(lines[1] == "  at k1: got 1, expected 0")
        #expect(lines.last == "  and 11 more")
        #expect(lines.allSatisfy { $0.utf8.count < 1000 })
    }

    @Test(arguments: [
        (#"("a"):rep(500000)"#, #"("a"):rep(250000) .. "b""#, false),
        (#"("a"):rep(500000) .. "b""#, #"("a"):rep(250000) .. "b""#, true),
        (#""abcabcabd""#, #""abcabd""#, true), (#""aabaaab""#, #""aaab""#, true), (#""abab""#, #""abb""#, false),
        (#""abc""#, #""""#, true), (#""""#, #""a""#, false), (#""\xff\xfe""#, #""\xfe""#, true),
    ])
    func textIsSearchedInLinearTime(text: String, part: String, isFound: Bool) throws {
        let run = try run("glass.expect(\(text)):toContain(\(part))", seconds: 5)
        #expect((run.failure == nil) == isFound)
        #expect((run.failure?.message.utf8.count ?? 0) < 1000)
    }

    @Test func conversionErrorTruncatesLongPath() throws {
        let run = try run(
            """
            local deep = print
            for i = 1, 20 do deep = { [("k"):rep(20000)] = deep } end
            glass.market("us").container:get("StorageAPI"):set("n", "k", deep)
            """)
        let message = try #require(run.failure).message
        #expect(message.hasPrefix("argument 3.kkk"))
        #expect(message.hasSuffix("is a value that services do not accept"))
        #expect(message.utf8.count < 500)
    }
}
