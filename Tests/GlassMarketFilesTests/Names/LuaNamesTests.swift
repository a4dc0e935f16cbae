import Foundation
import GlassBase
import GlassMarkets
import GlassSchema
import LuaSyntax
import Testing

@testable import GlassMarketFiles
import MarketTesting

/// Checks which names in a text are locals under Lua's scoping rules, and that valid code causes no findings.
@Suite(.timeLimit(.minutes(5)))
struct LuaNamesTests {
    private func globals(_ source: String) throws -> [String] {
        try LuaNames(of: LuaTree(Array(source.utf8)), knowing: ["print"], budget: .unlimited).globals.map {
            "\($0.place.line):\($0.place.column) \($0.name)\($0.isAssigned ? " =" : "")\($0.isInFunction ? " f" : "")"
        }
    }

    @Test(arguments: [
        ("local a = a", ["1:11 a"]),
        ("local function a() return a end", []),
        ("local a = function() return a end", ["1:29 a f"]),
        ("do local a end print(a)", ["1:22 a"]),
        ("for i = i, 1 do print(i) end print(i)", ["1:9 i", "1:36 i"]),
        ("for k, v in k do print(k, v) end", ["1:13 k"]),
        ("repeat local a until a print(a)", ["1:30 a"]),
        ("if a then local b end print(b)", ["1:4 a", "1:29 b"]),
        ("if false then local b elseif b then else print(b) end", ["1:30 b", "1:48 b"]),
        ("while a do local a print(a) end", ["1:7 a"]),
        ("a, b.c, d[e] = f", ["1:4 b", "1:9 d", "1:11 e", "1:16 f"]),
        ("return function(a, ...) a, b = ..., c end", ["1:28 b = f", "1:37 c f"]),
        ("function f() end function g.h() end function i:j() return self end", ["1:27 g", "1:46 i"]),
        ("return function() function f() end end", ["1:28 f = f"]),
        ("local t = { a = b, [c] = d; e }", ["1:17 b", "1:21 c", "1:26 d", "1:29 e"]),
        ("local s = x.y.z:w(q)\"s\"{ r }", ["1:11 x", "1:19 q", "1:26 r"]),
        ("local x = 5 (print)(y)", ["1:21 y"]),
        ("goto a ::a:: print(a)", ["1:20 a"]),
        ("local a <const>, b <close> = 1 print(a, b, c)", ["1:44 c"]),
        ("local _ENV = {} return function() return anything end", []),
        ("return function() return _ENV.anything end", []),
        ("-- a\n--[[ b ]] print [[c]]", []),
        ("return a and b or not c .. #d", ["1:8 a", "1:14 b", "1:23 c", "1:29 d"]),
        ("return (function(a) return a end)(a)", ["1:35 a"]),
    ])
    func namesAreResolvedLikeLua(source: String, found: [String]) throws {
        #expect(try globals(source) == found)
    }

    @Test(arguments: [
        "", "end end end", "{{{{", "}}}}", "local", "function", "function(", "for", "for i", "a.", "a:", "a[", "[", "(",
        ")",
        "return return", "= = =", "local x =", "{ a = ", "{ [", "if then else end until", "\u{0}", "\"", "::", "goto",
        "f(a, b", "local function", "repeat until", "until", "...", "a,,b = 1", "x = { ; , ; }", "not", "- - -",
    ])
    func invalidLuaIsReadInTime(source: String) throws {
        _ = try globals(source)
        _ = try globals(String(repeating: source + " ", count: 500))
    }

    @Test func deepNestingDoesNotExhaustStack() throws {
        for text in ["(", "{", "a[", "f(", "function() return ", "{ a = ", "not ", "do "] {
            #expect(try globals(String(repeating: text, count: 50_000)).count <= LuaNames.most)
        }
    }

    @Test func realMarketsHaveNoNameFindings() throws {
        let fixture = try MarketFixture()
        for id in ["us", "ca", "mx"] { #expect(try fixture.diagnostics(id) == "") }
    }

    @Test(arguments: 0..<10)
    func validHandlersHaveNoFindings(seed: Int) throws {
        var handlers = ValidHandlers(seed: UInt64(seed))
        let routables = (0..<20).map { "r\($0) = { paths = { \"r\($0)\" }, handle = \(handlers.next()) }," }
        let text = try MarketFixture.diagnostics(of: "routables = {\n" + routables.joined(separator: "\n") + "\n},")
        #expect(text == "", "seed \(seed)")
    }

    @Test(arguments: [
        // No finding for a parameter that is reassigned, passed on, or given fields.
        "function(link) link.own = 1 return link.own end", "function(link) if link then return link.x end end",
        "function(link) link = {} return link.anything end",
        "function(link, state) print(link) return link.anything end",
        "function(link) function link.f() end return link.f() end", "function(l) return (l).anything end",
        // Another variable with the same name.
        "function(link) local link = {} return link.anything end",
        "function(link) return function(link) return link.x end end",
        // Members that exist.
        "function(link, state) return link.url .. link.pattern .. link.path[1] == state.tab end",
    ])
    func parameterOfUnknownTypeIsNotChecked(function: String) throws {
        let text = try MarketFixture.diagnostics(of: "routables = { p = { paths = { \"p\" }, handle = \(function) } },")
        #expect(text == "")
    }

    @Test(arguments: 0..<10)
    func validNamedHandlersHaveNoFindings(seed: Int) throws {
        var handlers = ValidHandlers(seed: UInt64(100 + seed))
        let functions = (0..<10).map { "local h\($0) = \(handlers.next())" }.joined(separator: "\n")
        let routables = (0..<10).map { "r\($0) = { paths = { \"r\($0)\" }, handle = h\($0) }," }.joined()
        let market = "return { id = \"xx\", name = \"X\", extends = \"us\", routables = { \(routables) } }"
        let fixture = try MarketFixture(["xx.lua": "\(functions)\n\(market)"])
        #expect(try fixture.diagnostics("xx") == "", "seed \(seed)")
    }

    @Test(arguments: [
        // Also called by the file, stored elsewhere, or reassigned: its parameters may be anything.
        "local function f(link) return link.own end local seen = f({ own = 1 })",
        "local function f(link) return link.own end local others = { f }",
        "local f = function(link) return link.own end f = function() return true end",
        "local f = function(link) return link.own end and function() return true end",
        "local f, g = function(link) return link.own end, 1",
        "local f local g = function(link) return link.own end f = g",
        "local function f(link) if link.own then return f(link) end return true end",
        "local function f(link) link = { own = 1 } return link.own end",
    ])
    func functionUsedElsewhereIsNotChecked(function: String) throws {
        let routables = "{ p = { paths = { \"p\" }, handle = f } }"
        let market = "return { id = \"xx\", name = \"X\", extends = \"us\", routables = \(routables) }"
        #expect(try MarketFixture(["xx.lua": "\(function)\n\(market)"]).diagnostics("xx") == "")
    }

    @Test(arguments: [
        // Nothing is inherited that nil could be meant to remove.
        "platform = { networking = { headers = { [\"X-A\"] = nil } } },",
        // Numerals, which Lua converts, and the length of a string.
        "platform = { networking = { retry = { maxRetries = \"1\" + \" 2\" + #\"x\" } } },",
        "currency = (function(state, link) return state.currency end)({ currency = \"USD\" }),",
        "routables = { p = { paths = { \"p\" }, handle = function(_, state) state.show(state, \"p\") end } },",
        "routables = { p = { paths = { \"p\" }, handle = function(link) print(link.url, { nil, print(\"x\") }) end } },",
        "currency = ({ 1 == 1, x = nil, print == print, (function(print) return print end)(\"USD\") })[3],",
    ])
    func textThatMeansWhatItSaysHasNoFindings(text: String) throws {
        #expect(try MarketFixture.diagnostics(of: text) == "")
    }

    @Test func globalSetByFileIsDefined() throws {
        let fixture = try MarketFixture([
            "xx.lua": """
            function first(list) return list[1] end
            limit, other = 3, {}
            local function late() return later end
            return { id = "xx", name = "X", extends = "us", routables = {
              p = { paths = { "p" }, handle = function(link) return first(link.path) == limit and other and late() end },
            } }, (function() end)(), include "shared/helper.lua"
            """,
            "shared/helper.lua": "later = true return {}",
        ])
        #expect(try fixture.diagnostics("xx") == "")
    }

    @Test func everyUndefinedNameInFailedFileIsReported() throws {
        let fixture = try MarketFixture([
            "xx.lua": "local a = frist\nlocal b = secnd\nreturn { id = \"xx\", name = third }"
        ])
        let findings = try fixture.loader().check("xx").findings
        #expect(findings.map(\.position?.line) == [1, 2, 3])
        #expect(findings.map(\.position?.column) == [11, 11, 28])
    }
}
