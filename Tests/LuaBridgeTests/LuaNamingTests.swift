import LuaBridge
import Testing

/// The cost of an error that names its operand: for each name on the way to it, Lua searches a whole function.
@Suite struct LuaNamingTests {
    private static let long = String(repeating: ".b", count: 1001)

    /// Text before a chain that confuses a reader other than Lua's own.
    static let openings = [
        "", "\n", "local s = '\\z\n' ", "local s = '\\\n' ", "local s = '\\\r' ", "local s = '\\\r\n' ",
        "local s = '\\\n\r' ", "local s = \"\\z\r\n  \\\"'\" ", "local s = [==[ ]] ]=] ' ]==] ", "#--[[\n", "#'\n",
        "\u{FEFF}#[[\n", "--[==[ ]] ' ]==] ", "--[=[\r\n]=]", "---[[ '\n", "--[ [[\n", "local s = '--[[' ",
        "local n = 0x.8p1 ", "local s = '\\u{7FFFFFFF}\\x41\\065\\'' ", "local s = [[\r]] ",
    ]

    @Test(arguments: openings)
    func longExpressionIsFoundAfterOtherText(_ opening: String) throws {
        let failed = failure(opening + "local a = {} return a" + Self.long, profile: .script)
        guard case .tooManyNames(let detail) = failed else {
            Issue.record("\(String(describing: failed)) behind \(opening.debugDescription)")
            return
        }
        #expect(detail.message == "an expression has more than 1000 names")
        let lines = opening.replacing("\r\n", with: "\n").replacing("\n\r", with: "\n").replacing("\r", with: "\n")
        #expect(detail.position?.line == 1 + lines.count { $0 == "\n" })
    }

    static let expressions = [
        "(a" + String(repeating: "['b']", count: 1001) + ")", "(a" + String(repeating: "[ b ]", count: 1001) + ")",
        "(a" + String(repeating: "\n.b", count: 1001) + ")",
        // Lua also searches for names in brackets and in parentheses.
        "a" + String(repeating: "[a" + String(repeating: ".b", count: 500) + "]", count: 3),
        "(a" + String(repeating: ".b", count: 600) + ")" + String(repeating: ".b", count: 600),
        "a[(a" + String(repeating: ".b", count: 600) + ")]" + String(repeating: ".b", count: 600),
        "b (a" + String(repeating: ".b", count: 600) + ")" + String(repeating: ".b", count: 600),
        "function() return a" + long + " end", "{ function() local c = 1; (a" + long + ").b() end }",
    ]

    @Test(arguments: expressions)
    func namesOfOneExpressionAddUp(_ expression: String) {
        guard case .tooManyNames = failure("local a, b = {}, 'b' return " + expression) else {
            Issue.record("expected the expression to be rejected")
            return
        }
    }

    static let harmless = [
        String(repeating: "s = s + a.b.c\n", count: 3000), String(repeating: "f(a.b.c, a.b)\n", count: 3000),
        "f" + String(repeating: "(a.b.c)", count: 1500), "s = o" + String(repeating: ":m(a.b):m{}", count: 700) + ".n",
        "local t = {" + String(repeating: "a.b.c, { a.b }, [a.b.c] = a.b,", count: 500) + "}",
        "s = s" + String(repeating: " .. a.b.c + a.b.c", count: 150),
        String(repeating: "do local x = a.b if x then x = x.c end end ", count: 1000),
    ]

    @Test(arguments: harmless)
    func manyExpressionsMayHaveManyNames(_ statements: String) throws {
        let start =
            "local a, s, o = { b = { c = 1 } }, 0, { n = 1 } function o.m() return o end local function f() return f end "
        let limits = LuaLimits(cpuTime: .seconds(5), memory: 64 << 20)
        let failed = failure(start + statements, profile: .script, limits: limits)
        #expect(
            failed.map { if case .tooManyNames = $0 { false } else { true } } ?? true, "\(String(describing: failed))")
    }

    @Test func longFunctionAllowsFewerNamesPerExpression() {
        let body = String(repeating: "x = 1 ", count: 20_000)
        var limits = LuaLimits(cpuTime: .seconds(1), memory: 64 << 20)
        limits.sourceSize = 1 << 20
        let failed = failure(
            "local x, a\n" + body + "\nreturn a" + String(repeating: ".b", count: 900), profile: .script, limits: limits
        )
        guard case .tooManyNames(let detail) = failed else {
            Issue.record("\(String(describing: failed))")
            return
        }
        #expect(
            detail.message == "an expression has 900 names, too many for a function of this length (61807 tokens)")
        #expect(detail.position == LuaPosition(chunk: "test.lua", line: 3, column: 1807))
        // In a short function, the same expression is cheap.
        let apart = "local x, a\nlocal function f() return a" + String(repeating: ".b", count: 900) + " end\n" + body
        #expect(failure(apart, profile: .script, limits: limits) == nil)
    }

    /// 100 frames, each as expensive to name as possible, in a loop that catches the errors.
    @Test func namingStaysWithinTimeLimit() throws {
        let filler = String(repeating: "x = 1 ", count: 2_000)
        let text = """
            local x, t = 1, {} t.b = t
            function t.f(n) if n == 0 then local z = nil return z.q end
            if x ~= 1 then \(filler) end return 1 + t\(String(repeating: ".b", count: 900)).f(n - 1) end
            while true do pcall(t.f, 100) end
            """
        let state = try LuaState(profile: .config, limits: LuaLimits(cpuTime: .milliseconds(200), memory: 16 << 20))
        defer { state.close() }
        let usage = state.perform { lua -> LuaUsage in
            _ = try? lua.evaluate { try lua.call(lua.load(LuaSource(text, chunkName: "naming"))) }
            return lua.usage
        }
        #expect(usage.cpuTime >= .milliseconds(190) && usage.cpuTime <= .milliseconds(300))
    }

    @Test func framesOfShortFunctionsAreNamed() throws {
        let error = failure("local t = {} function t.f() error('x') end function t.g() t.f() end t.g()")
        #expect(error?.traceback.compactMap(\.function).suffix(2) == ["f", "g"])
    }
}
