import GlassBase
import Foundation
import GlassDeepLinking
@testable import GlassMarketFiles
import GlassMarkets
import GlassSchema
import LuaBridge
import Testing
import MarketTesting

@Suite(.timeLimit(.minutes(2)))
struct ScriptRunnerTests {
    private func run(
        _ source: String, files: [String: String] = [:], arguments: [String] = [], limits: LuaLimits = .script
    ) throws -> (run: ScriptRun, printed: String) {
        var all = files
        all["scripts/s.lua"] = source
        let fixture = try MarketFixture(all)
        let printed = Lock("")
        let runner = ScriptRunner(markets: fixture.loader(), limits: limits) { text in
            printed.withLock { $0 += text }
        }
        let path = fixture.folder.appending(path: "scripts/s.lua").path
        let result = try runner.run(path, arguments: arguments)
        return (result, printed.withLock { $0 })
    }

    @Test func caseInListIsNamedByItsName() throws {
        let (run, _) = try run(
            "glass.test('sum', { { name = 'small', 1 }, { 2 }, { name = '', 3 } }, function() end)")
        #expect(run.report.tests.map(\.name) == ["sum: small", "sum #2", "sum #3"])
    }

    @Test func failureInTestListsOnlyTheScriptsOwnCalls() throws {
        let (run, _) = try run(
            """
            local function check(x) glass.expect(x):toBe(2) end
            glass.test("direct", function() glass.expect(1):toBe(2) end)
            glass.test("through a function", function() check(1) end)
            """)
        let calls = run.report.tests.map { $0.failure?.traceback.map { $0.split(separator: ":").last ?? "" } }
        #expect(calls == [[], [" in function 'check'", " in a function"]])
    }

    @Test(arguments: [
        ("curency", "config has no key \"curency\"; did you mean \"currency\"?"),
        (
            "platform.networking.retry.maxRetrys",
            "config.platform.networking.retry has no key \"maxRetrys\"; did you mean \"maxRetries\"?"
        ),
        (
            "deepLinking.allowedDomains[1].domain",
            "config.deepLinking.allowedDomains[1] has no key \"domain\"; it has name, allowSubdomains"
        ),
    ])
    func misspeltKeyOfConfigurationIsAnError(key: String, message: String) throws {
        let (run, _) = try run("local config = glass.market('ca').config\nprint(config.\(key))")
        #expect(run.failure?.message == message)
        #expect(run.failure?.place?.line == 2)
    }

    @Test func absentKeysOfConfigurationAreNil() throws {
        let (run, printed) = try run(
            """
            local config = glass.market("ca").config
            print(config.platform.networking.headers["X-None"], config.locales[99], config[1])
            local keys = 0
            for _ in pairs(config) do keys = keys + 1 end
            print(keys > 5, pcall(setmetatable, config, {}))
            glass.expect(config.platform.networking.retry):toEqual(config.platform.networking.retry)
            """)
        #expect(run.failure == nil)
        #expect(printed.hasPrefix("nil\tnil\tnil\ntrue\tfalse\t"))
    }

    @Test func scriptPrintsAndReadsArguments() throws {
        let (run, printed) = try run(
            "print(arg[1], arg[2], #arg) print(arg[0]:match('[^/]+$'))", arguments: ["a", "b"])
        #expect(run.succeeded)
        #expect(printed == "a\tb\t2\ns.lua\n")
    }

    @Test(arguments: [
        ("glass.expect(1):toBe(2)", "expected 1 to be 2"),
        ("glass.expect(1).never:toBe(1)", "expected 1 never to be 1"),
        (
            "glass.expect({ 1, 2 }):toEqual({ 1, 3 })",
            "expected { 1, 2 } to equal { 1, 3 }\n  at [2]: got 2, expected 3"
        ),
        (
            "glass.expect({ a = 1 }):toEqual({ b = 1 })",
            "expected { a = 1 } to equal { b = 1 }\n  at a: got 1, expected nil\n  at b: got nil, expected 1"
        ),
        (
            "glass.expect({ a = { b = { 1, 2 } } }):toEqual({ a = { b = { 1 } } })",
            "expected { a = { b = { 1, 2 } } } to equal { a = { b = { 1 } } }\n  at a.b[2]: got 2, expected nil"
        ),
        (
            "glass.expect({ 1, 2, 3 }):toEqual({ 1, 3 })",
            "expected { 1, 2, 3 } to equal { 1, 3 }\n  at [2]: got 2, expected nil"
        ),
        (
            "glass.expect({ 2, 1 }):toEqual({ 1, 2 })",
            "expected { 2, 1 } to equal { 1, 2 }\n  at the top: the same elements in a different order"
        ),
        (
            "glass.expect({ { id = 'a', n = 1 }, { id = 'b', n = 2 } }):toEqual({ { id = 'b', n = 3 } })",
            "expected { { id = \"a\", n = 1 }, { id = \"b\", n = 2 } } to equal { { id = \"b\", n = 3 } }\n"
                + "  at [1]: got { id = \"a\", n = 1 }, expected nil\n  at [id=b].n: got 2, expected 3"
        ),
        (
            "glass.expect(('x'):rep(100) .. 'a'):toBe(('x'):rep(100) .. 'b')",
            "expected \"\(String(repeating: "x", count: 60))…\" to be \"\(String(repeating: "x", count: 60))…\"\n"
                + "  at the top: got \"…\(String(repeating: "x", count: 20))a\", "
                + "expected \"…\(String(repeating: "x", count: 20))b\"; they differ starting at character 101"
        ),
        ("glass.expect(\"abc\"):toContain(\"x\")", "expected \"abc\" to contain \"x\""),
        ("glass.expect({ 1 }):toContain(2)", "expected { 1 } to contain 2"),
        ("glass.expect(\"abc\"):toMatch(\"^b\")", "expected \"abc\" to match \"^b\""),
        ("glass.expect(0):toBeNil()", "expected 0 to be nil"),
        ("glass.expect(function() end):toRaise()", "expected a function to raise an error"),
        (
            "glass.expect(function() error('boom') end):toRaise('bang')",
            "expected raise an error with \"bang\", got \"boom\""
        ),
        ("glass.expect({}):toBe({})", "toBe compares single values; use toEqual for tables"),
        ("glass.expect(3):toContain(3)", "toContain expects a string or a table, got 3"),
        ("glass.expect(3):toRaise()", "toRaise expects a function, got 3"),
    ])
    func failedExpectationReportsActualValue(source: String, message: String) throws {
        let (run, _) = try run("\nglass.test(\"t\", function()\n  \(source)\nend)")
        let failure = try #require(run.report.tests.first?.failure)
        #expect(failure.message == message)
        // The position is that of the matcher.
        let method = try #require(source.firstRange(of: /to[A-Z]/)?.lowerBound)
        let column = source.distance(from: source.startIndex, to: method) + 3
        #expect(failure.position?.hasSuffix("s.lua:3:\(column)") == true, "\(failure)")
        #expect(!run.succeeded)
        #expect(run.failure == nil)
    }

    @Test(arguments: [
        "glass.expect(1):toBe(1)", "glass.expect(1):toBe(1.0)", "glass.expect(nil):toBeNil()",
        "glass.expect({ 1, { a = 2 } }):toEqual({ 1, { a = 2.0 } })", "glass.expect(\"a-b\"):toContain(\"-\")",
        "glass.expect({ x = 5 }):toContain(5)", "glass.expect(\"abc\"):toMatch(\"b.$\")",
        "glass.expect(function() error('boom') end):toRaise('oo')",
        "glass.expect(function() error({}) end):toRaise()", "glass.expect(2).never:toBe(1)",
        "glass.expect(2).never.never:toBe(2)", "glass.expect(function() end).never:toRaise()",
        "local f = print glass.expect(f):toBe(print)",
    ])
    func metExpectationPasses(source: String) throws {
        let (run, _) = try run("glass.test(\"t\", function() \(source) end)")
        #expect(run.report.tests.first?.failure == nil)
        #expect(run.succeeded)
    }

    @Test func failedTestDoesNotStopOthers() throws {
        let (run, _) = try run(
            """
            glass.test("bad", function() error("x") end)
            glass.test("good", function() end)
            """)
        #expect(run.report.tests.map(\.name) == ["bad", "good"])
        #expect(run.report.passed == 1 && run.report.failed == 1)
    }

    @Test func uncaughtErrorHasPositionAndTraceback() throws {
        let (run, _) = try run(
            "local function inner()\n  error(\"boom\")\nend\nlocal function outer() inner() end\nouter()")
        let failure = try #require(run.failure)
        #expect(failure.message == "boom")
        #expect(failure.position?.hasSuffix("s.lua:2:3") == true)
        #expect(failure.traceback.count >= 3)
        #expect(failure.traceback.contains { $0.contains("'inner'") })
    }

    @Test(arguments: [
        // Scripts get the same hints as market files.
        ("local a = 1\nif a != 2 then a = 3 end", "s.lua:2:6: != is not a Lua operator\n  hint: write ~="),
        (
            "local t = {\n  a = 1\n  b = 2,\n}",
            "s.lua:2:8: a comma is missing here\n  hint: add a comma before b"
        ),
        (
            "print(“x”)",
            "s.lua:1:7: “ is a typographic quote; Lua uses straight ones\n  hint: write \" at both ends of the string"
        ),
        (
            "local function f()\n  if true then\n    print(1)\nend\nf()",
            "s.lua:2:3: if is opened here but not closed\n  hint: write end before line 4"
        ),
        // At run time: the column, if only one expression on the line can have failed.
        ("local m = {}\nm.first.second = 1", "s.lua:2:3: attempt to index a nil value (field 'first')"),
        ("glass.market(\"ca\"):opne(\"x\")", "s.lua:1:20: market has no member 'opne'; did you mean 'open'?"),
        ("local text = \"x\"\nprnt(text)", "s.lua:2:1: undefined global 'prnt'\n  hint: did you mean \"print\"?"),
        ("local text = \"x\" print(txet)", "s.lua:1:24: undefined global 'txet'\n  hint: did you mean \"text\"?"),
    ])
    func scriptErrorsAreWordedLikeMarketErrors(source: String, text: String) throws {
        let failure = try #require(try run(source).run.failure)
        let lines = failure.description.split(separator: "\n").filter { !$0.hasPrefix("    ") }
        #expect(lines.joined(separator: "\n").hasSuffix(text), "\(failure)")
    }

    @Test func errorInRequiredFileIsWordedLikeScriptError() throws {
        let broken = ["scripts/lib/a.lua": "return {\n  a: 1,\n}"]
        let failure = try #require(try run("require(\"lib.a\")", files: broken).run.failure)
        #expect(failure.position?.hasSuffix("scripts/lib/a.lua:2:4") == true, "\(failure)")
        #expect(failure.message == "use = instead of :")
        #expect(failure.hint == "write a =")
        #expect(failure.line?.text == "  a: 1,")
    }

    @Test func endlessScriptIsStoppedEvenInPcall() throws {
        var limits = LuaLimits.script
        limits.cpuTime = .milliseconds(50)
        let (run, _) = try run(
            "glass.test('t', function() while true do pcall(function() while true do end end) end end)", limits: limits)
        #expect(run.failure?.message.contains("time limit exceeded") == true)
    }

    @Test func sleepingScriptIsStoppedByClock() throws {
        var limits = ScriptRunner.limits(seconds: 0.05, megabytes: 8)
        limits.cpuTime = .seconds(60)
        let (run, _) = try run("while true do end", limits: limits)
        #expect(run.failure?.message.contains("time limit exceeded: 50 ms") == true)
    }

    @Test func scriptCannotAccessSystem() throws {
        for name in ["io", "debug", "package", "dofile", "loadfile", "collectgarbage"] {
            let (run, _) = try run("local x = \(name)")
            #expect(run.failure?.message.contains("'\(name)' is not available") == true, "\(name)")
        }
        let (run, _) = try run("local x = os.getenv")
        #expect(run.failure == nil || run.failure?.message.contains("getenv") == true)
    }

    @Test func requireFindsOnlyModulesNextToScript() throws {
        let (run, printed) = try run(
            "local m = require(\"lib.helper\") print(m.twice(4), require(\"lib.helper\") == m)",
            files: ["scripts/lib/helper.lua": "return { twice = function(n) return 2 * n end }"])
        #expect(run.failure == nil)
        #expect(printed == "8\ttrue\n")
        for name in ["../us", "/etc/passwd", "lib/helper", "nothing", "..us"] {
            let (run, _) = try self.run("require(\"\(name)\")")
            #expect(run.failure != nil, "\(name)")
        }
    }

    @Test func marketWithErrorsReportsThemToScript() throws {
        let (run, _) = try run(
            "glass.market(\"xx\")",
            files: ["xx.lua": "return { id = \"xx\", name = \"X\", extends = \"us\", currency = 3 }"])
        #expect(run.failure?.message.contains("currency: expected a currency code") == true)
    }

    @Test func missingScriptIsReported() throws {
        let fixture = try MarketFixture()
        let runner = ScriptRunner(markets: fixture.loader()) { _ in }
        let error = #expect(throws: ScriptRunnerError.self) { try runner.run("/nowhere/s.lua") }
        #expect(error?.description == "cannot read the script /nowhere/s.lua: no such file or directory")
    }

    @Test(arguments: [
        ("local m = glass.market(\"ca\") print(m.id, m.name, #m.routes > 20)", "ca\tCanada\ttrue\n"),
        ("print(glass.market(\"ca\"):canRoute(\"walmart.ca://cart\"))", "true\n"),
        ("local m = glass.market(\"us\") m.config.currency = \"XXX\" print(m.config.currency)", "USD\n"),
        ("print(glass.market(\"us\").container:get(\"AppInfoAPI\"):build())", "2403\n"),
        ("print(pcall(function() return glass.market(\"us\").nmae end))", "false"),
        ("print(glass.market(\"ca\"):link(\"account\"))", "walmart.ca://myaccount\n"),
        ("print(glass.market(\"us\"):link(\"item\", { itemID = 7 }))", "walmart://ip/7\n"),
        ("print(glass.market(\"us\"):explain(\"walmart://acount\").nearMisses[1].suggestion)", "account\n"),
        ("local ok, e = pcall(glass.market, \"cq\") print(e)", "did you mean \"ca\"?"),
    ])
    func glassModuleProvidesMarkets(source: String, printed: String) throws {
        let result = try run(source)
        #expect(result.run.failure == nil)
        #expect(result.printed.contains(printed), "\(result.printed)")
    }
}
