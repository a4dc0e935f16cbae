import Foundation
@testable import GlassMarketFiles
import GlassMarkets
import LuaSyntax
import TestSupport
import Testing

@Suite struct LuaSourceMapTests {
    /// A lookup. `key` and `value` are the source text from the expected position on; each occurs once.
    struct Row: Sendable, CustomTestStringConvertible {
        var source: String
        var path: String
        var key: String
        var value: String
        var isExact: Bool
        var included: LuaSourceMap.Included?
        var testDescription: String { "\(path) in \(source)" }

        init(
            _ source: String, _ path: String, key: String? = nil, value: String, exact: Bool = true,
            included: LuaSourceMap.Included? = nil
        ) {
            self.source = source
            self.path = path
            self.key = key ?? value
            self.value = value
            self.isExact = exact
            self.included = included
        }
    }

    static let constructors = [
        Row("return { a = 1 }", "", key: "return", value: "{ a"),
        Row("return { a = 1 }", "a", key: "a = 1", value: "1 }"),
        Row("return { a = { b = 1, [\"c\"] = 2, [3] = x } }", "a.b", key: "b = 1", value: "1, ["),
        Row("return { a = { b = 1, [\"c\"] = 2, [3] = x } }", "a.c", key: "\"c\"", value: "2, ["),
        Row("return { a = { b = 1, [\"c\"] = 2, [3] = x } }", "a.3", key: "3]", value: "x }"),
        Row("return { [-2] = x, [0x10] = y, [3.0] = z }", "-2", key: "-2", value: "x,"),
        Row("return { [-2] = x, [0x10] = y, [3.0] = z }", "16", key: "0x10", value: "y,"),
        Row("return { [-2] = x, [0x10] = y, [3.0] = z }", "3", key: "3.0", value: "z }"),
        Row("return { 'p', k = 1; 'q' }", "2", value: "'q'"),
        Row("return { 'p', k = 1; 'q' }", "k", key: "k =", value: "1;"),
        Row("return { l = { { n = 1 }, { n = 2 } } }", "l.2", value: "{ n = 2"),
        Row("return { l = { { n = 1 }, { n = 2 } } }", "l.2.n", key: "n = 2", value: "2 }"),
        Row("return { [1] = x, 'p' }", "1", value: "'p'"),
        Row("return { 'p', [1] = x }", "1", value: "'p'"),
        Row("return { a = 1, a = 2 }", "a", key: "a = 2", value: "2 }"),
        Row("return ({ a = 1 })", "a", key: "a =", value: "1 }"),
        Row("return (({ a = 1 }))", "", key: "return", value: "(({"),
        Row("-- c\nreturn {\n  a = --[[ x\n ]] 7,\n}", "a", key: "a = ", value: "7,"),
        Row("return { a = 1, b = { 2 } };", "b.1", value: "2 }"),
        Row("return { [\n\"k\"\n]\n=\n5 }", "k", key: "\"k\"", value: "5 }"),
        Row("return { [ [[k]] ] = 5 }", "k", key: "[[k]]", value: "5 }"),
        Row("return { s = 'Montréal', t = 5 }", "t", key: "t = 5", value: "5 }"),
        Row("#!/usr/bin/env x\nreturn { a = 1 }", "a", key: "a = 1", value: "1 }"),
        Row("return { a = -1, b = not x, c = #l + 2 .. 'x', d = 4 }", "d", key: "d =", value: "4 }"),
        Row("return { a = -1, b = not x }", "b", key: "b =", value: "not x"),
        Row("return { a = x and { b = 1 } or { b = 2 } }", "a.b", key: "a =", value: "x and", exact: false),
        Row(
            "return { handle = function(a, b) if a then return { x = 1 } end end, z = 2 }", "z", key: "z", value: "2 }"),
        Row(
            "return { h = function() for i = 1, 2 do while x do repeat local f = function() end until y end end end, z = 2 }",
            "z", key: "z", value: "2 }"),
        Row("return { h = function() end, z = 2 }", "h", key: "h =", value: "function"),
    ]

    static let assignments = [
        Row("local M = { a = 1 }\nM.b = 2\nreturn M", "b", key: "b =", value: "2"),
        Row("local M = { a = 1 }\nM.a = 2\nreturn M", "a", key: "a = 2", value: "2"),
        Row("local M = { a = 1 }\nM.a = 2\nreturn M", "", key: "return", value: "M\0"),
        Row("local M = { x = { y = 1 } }\nM.x.y = 2\nreturn M", "x.y", key: "y = 2", value: "2"),
        Row("local M = { x = { y = 1 } }\nM[\"x\"].y = 2\nreturn M", "x.y", key: "y = 2", value: "2"),
        Row("local M = { list = { 'p' } }\nM.list[2] = 'q'\nreturn M", "list.2", key: "2]", value: "'q'"),
        Row("local M = {}\nM.x.y = 2\nreturn M", "x.y", key: "y =", value: "2"),
        Row("local M = {}\nM.x.y = 2\nreturn M", "x", value: "x.y", exact: false),
        Row("local M <const> = {}\nM.x = 2\nreturn M", "x", key: "x = 2", value: "2"),
        Row("local M = base()\nM.x = 2\nreturn M", "x", key: "x =", value: "2"),
        Row("M = {}\nM.x = 2\nreturn M", "x", key: "x =", value: "2"),
        Row("local M = {}\nM.a, M.b = 1, { c = 3 }\nreturn M", "b.c", key: "c =", value: "3 }"),
        Row(
            "local M = {}\nfunction M.r.handle(link) return {} end\nreturn M", "r.handle", key: "handle",
            value: "function"),
        Row("local M = {}\ndo local M = {}; M.x = 1 end\nM.x = 2\nreturn M", "x", key: "x = 2", value: "2"),
        Row("local M = { x = 7 }\ndo local M = {}; M.x = 1 end\nreturn M", "x", key: "x = 7", value: "7"),
        Row("local M = { x = 7 }\ndo M.x = 1 end\nreturn M", "x", key: "x = 1", value: "1"),
        Row("local r = { n = 3 }\nreturn { retry = r }", "retry.n", key: "n =", value: "3 }"),
        Row("local r = { n = 3 }\nreturn { retry = r }", "retry", key: "retry", value: "r }"),
        Row("local d = { r = { n = 3 } }\nreturn { retry = d.r }", "retry.n", key: "n =", value: "3 }"),
        Row("local r = { n = 3 }\nr.n = 4\nreturn { retry = r }", "retry.n", key: "n = 4", value: "4"),
        Row("local a, b = {}, { n = 3 }\nreturn { retry = b }", "retry.n", key: "n =", value: "3 }"),
        Row("local r = { n = 3 }\nlocal q = r\nreturn { retry = (q) }", "retry.n", key: "n =", value: "3 }"),
        Row("local M = {}\nM.me = M\nM.x = 5\nreturn M", "me.me.x", key: "x =", value: "5"),
    ]

    static let computed = [
        Row("return f({ a = 1 })", "a", key: "return", value: "f(", exact: false),
        Row("return f{ a = 1 }", "a.b", key: "return", value: "f{", exact: false),
        Row("return { a = f(1) }", "a.b", key: "a =", value: "f(1)", exact: false),
        Row("return { a = { b = 1 } }", "a.zz", key: "a =", value: "{ b", exact: false),
        Row("return { a = { b = 1 } }", "zz", key: "return", value: "{ a", exact: false),
        Row(
            "local M = { l = {} }\nfor i = 1, 3 do M.l[i] = { n = i } end\nreturn M", "l.2", key: "i] =", value: "{ n",
            exact: false),
        Row(
            "local M = { l = {} }\nfor i = 1, 3 do M.l[i] = { n = i } end\nreturn M", "l.2.n", key: "n =", value: "i }",
            exact: false),
        Row(
            "local M = { l = { 'p' } }\nfor i = 1, 3 do M.l[i] = i end\nreturn M", "l.1", value: "'p'", exact: false),
        Row("local M = { x = 1 }\nif y then M.x = 2 end\nreturn M", "x", key: "x = 2", value: "2 end", exact: false),
        Row("local M = {}\nif y then M.x = 2 end\nreturn M", "x", key: "x = 2", value: "2 end"),
        Row("local M = { x = 1 }\nwhile y do M.x = 2 end\nreturn M", "x", key: "x = 2", value: "2 end", exact: false),
        Row(
            "local M = { x = 1 }\nif y then elseif z then M.x = 2 else end\nreturn M", "x", key: "x = 2",
            value: "2 else", exact: false),
        Row(
            "local M = { x = 1 }\nrepeat M.x = 2 until y\nM.x = 3\nreturn M", "x", key: "x = 3", value: "3"),
        Row(
            "local t = { a = 1 }\nif y then t = { a = 2 } end\nreturn t", "a", key: "a = 2", value: "2 }", exact: false),
        Row("if y then return { a = 1 } end\nreturn { a = 2 }", "a", key: "a = 2", value: "2 }", exact: false),
        Row("if y then return { a = 1 } end", "a", key: "a =", value: "1 }"),
        Row("return { [k] = { n = 1 } }", "x.n", key: "n =", value: "1 }", exact: false),
        Row("return { 'p', f() }", "5", value: "f()", exact: false),
        Row("return { f(), 'p' }", "5", key: "return", value: "{ f", exact: false),
        Row("return { 'p', ... }", "2", value: "..."),
        Row(
            "local M = { l = {} }\ntable.insert(M.l, { n = 1 })\nreturn M", "l.1.n", key: "n =", value: "1 }",
            exact: false),
        Row("local M = { l = {} }\ntable.insert(M.l, 1, 'q')\nreturn M", "l.1", value: "'q'", exact: false),
        Row("local M = { l = {} }\nM.l[#M.l + 1] = 'q'\nreturn M", "l.1", key: "#M.l", value: "'q'", exact: false),
        Row("local M = {}\nM.s[k].url = 'q'\nreturn M", "s.catalog.url", key: "url", value: "'q'", exact: false),
    ]

    static let words = [
        Row("return { l = append{ 'p', 'q' } }", "l", key: "l =", value: "append"),
        Row("return { l = append{ 'p', 'q' } }", "l.2", value: "'q'"),
        Row("return { l = append({ 'p', 'q' }) }", "l.2", value: "'q'"),
        Row("return { l = remove { 'p', { n = 1 } } }", "l.2.n", key: "n =", value: "1 }"),
        Row("return { l = unset, m = 2 }", "l", key: "l =", value: "unset"),
        Row("return { l = secret \"KEY\", m = 2 }", "l", key: "l =", value: "secret"),
        Row("return { l = secret \"KEY\", m = 2 }", "m", key: "m =", value: "2 }"),
        Row("return { l = include \"shared/fees.lua\", m = 2 }", "l", key: "l =", value: "include"),
        Row(
            "return { l = include \"shared/fees.lua\", m = 2 }", "l.us.1", key: "l =", value: "include", exact: false,
            included: .init(file: "shared/fees.lua", path: [.key("us"), .index(1)])),
        Row(
            "return { l = include(\"f.lua\") }", "l.x", key: "l =", value: "include", exact: false,
            included: .init(file: "f.lua", path: [.key("x")])),
        Row(
            "local shared = include [[f.lua]]\nreturn { fee = shared.fees.us }", "fee.x", key: "fee =",
            value: "shared.fees", exact: false,
            included: .init(file: "f.lua", path: [.key("fees"), .key("us"), .key("x")])),
        Row(
            "local M = include \"f.lua\"\nM.x.y = 2\nreturn M", "x.y", key: "y =", value: "2"),
        Row(
            "local M = include \"f.lua\"\nM.x.y = 2\nreturn M", "x.z", value: "x.y", exact: false,
            included: .init(file: "f.lua", path: [.key("x"), .key("z")])),
        Row(
            "return include \"f.lua\"", "x", key: "return", value: "include", exact: false,
            included: .init(file: "f.lua", path: [.key("x")])),
        Row(
            "return { l = include \"f.lua\"(3) }", "l.x", key: "l =", value: "include", exact: false,
            included: .init(file: "f.lua", path: [.result, .key("x")])),
        Row(
            "local lib = include \"f.lua\"\nreturn { l = lib.make { 3 } }", "l.x", key: "l =", value: "lib.make",
            exact: false, included: .init(file: "f.lua", path: [.key("make"), .result, .key("x")])),
        Row(
            "local lib = include \"f.lua\"\nreturn { l = lib:make(3) }", "l.x", key: "l =", value: "lib:make",
            exact: false, included: .init(file: "f.lua", path: [.key("make"), .result, .key("x")])),
        // A function's changes to outer tables happen when it is called, if ever.
        Row(
            "local t = { a = 1 }\nlocal function f() t.a = 2 t = {} end\nreturn t", "a", key: "a = 1", value: "1 }"),
        Row("local append = f\nreturn { l = append{ 'p' } }", "l.1", key: "l =", value: "append{", exact: false),
    ]

    @Test(arguments: constructors + assignments + computed + words)
    func pathIsFoundWhereSourceSetsIt(_ row: Row) throws {
        let source = row.source.replacing("\0", with: "")
        let map = LuaSourceMap(of: LuaTree(Array(source.utf8)))
        let located = map.position(of: path(row.path))
        let expected = LuaSourceMap.Located(
            keyPosition: try place(of: row.key, in: row.source),
            valuePosition: try place(of: row.value, in: row.source),
            isExact: row.isExact, included: row.included)
        #expect(located == expected)
    }

    @Test func documentedPositionsAreCorrect() {
        let map = LuaSourceMap(of: LuaTree(Array("return { retry = { maxRetries = 4 } }".utf8)))
        let located = map.position(of: [.key("retry"), .key("maxRetries")])
        #expect(located.keyPosition == .init(line: 1, column: 20))
        #expect(located.valuePosition == .init(line: 1, column: 33))
        #expect(map.returnPosition == .init(line: 1, column: 1))
    }

    @Test(arguments: [[], Array("-- nothing".utf8), Array("local x = 1".utf8), [0xFF, 0x00, 0x1B, 0x4C]])
    func sourceWithoutReturnUsesStart(_ source: [UInt8]) {
        let map = LuaSourceMap(of: LuaTree(source))
        let start = LuaSourceMap.Position(line: 1, column: 1)
        #expect(
            map.position(of: [.key("a"), .index(1)]) == .init(keyPosition: start, valuePosition: start, isExact: false))
        #expect(map.returnPosition == start)
    }

    static let broken = [
        Row("return { a = , b = 2 }", "b", key: "b =", value: "2 }"),
        Row("return { a b = 2 }", "b", key: "b =", value: "2 }"),
        Row("return { ) ] end, b = 2 }", "b", key: "b =", value: "2 }"),
        Row("return { a = 'open,\n b = 2 }", "b", key: "b =", value: "2 }"),
        Row("return { a = 3x, b = 2 }", "b", key: "b =", value: "2 }"),
        Row("return { b = { c = 2", "b.c", key: "c =", value: "2"),
        Row("end end ) local = M.\nreturn { b = 2 }", "b", key: "b =", value: "2 }"),
    ]

    @Test(arguments: broken)
    func brokenSourceStillHasPositions(_ row: Row) throws {
        let map = LuaSourceMap(of: LuaTree(Array(row.source.utf8)))
        let located = map.position(of: path(row.path))
        #expect(located.keyPosition == (try place(of: row.key, in: row.source)))
        #expect(located.valuePosition == (try place(of: row.value, in: row.source)))
    }

    @Test(.timeLimit(.minutes(1)))
    func everyPrefixOfMarketFileHasPositions() {
        let source = Array(marketSample.utf8)
        let lines = marketSample.split(separator: "\n", omittingEmptySubsequences: false).count
        for length in 0...source.count {
            let map = LuaSourceMap(of: LuaTree(Array(source[..<length])))
            for text in samplePaths {
                let line = map.position(of: path(text)).valuePosition.line
                #expect(line >= 1 && line <= lines)
            }
        }
    }

    @Test(arguments: zip(samplePaths, samplePositions))
    func positionsMatchThoseInEditor(_ text: String, _ position: String) {
        let located = LuaSourceMap(of: LuaTree(Array(marketSample.utf8))).position(of: path(text))
        #expect("\(located.valuePosition.line):\(located.valuePosition.column)" == position)
        #expect(located.isExact)
    }

    @Test(.timeLimit(.minutes(1)), arguments: 1...20 as ClosedRange<UInt64>)
    func randomTokensHavePositions(_ seed: UInt64) {
        var generator = SplitMix64(state: seed)
        let words = [
            "return ", "local ", "M", " = ", "{", "}", "(", ")", "[", "]", ".x", "[1]", ",", "function ", "end ", "if ",
            "then ", "do ", "for ", "in ", "repeat ", "until ", "'s'", "3", "include 'f' ", "append", "[[", "]]", "--",
            "\n", "\u{E9}", "::", "goto ", "else ", "elseif ", "while ", "and ", "-", "table.insert(M, 1)",
        ]
        for _ in 0..<200 {
            let text = (0..<60).map { _ in words.randomElement(using: &generator) ?? "" }.joined()
            let located = LuaSourceMap(of: LuaTree(Array(text.utf8))).position(of: [.key("x"), .index(1)])
            #expect(located.valuePosition.line >= 1, "seed \(seed)")
        }
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "{", "(", "[", "a[", "f(", "f{", "{[{", "a.", "-", "not ", "function ", "if ", "repeat ", "x,", "{}", "a=",
            "a=a.b ", "local a=a.b ", "local a=include'f'.x ", "return ", "{'a',", "({", "f'x'", "::a::", "[=", "--[==",
            "a.b.c[1][d]=", "do local a ", "#{", "a:b",
        ])
    func deepAndLongSourcesAreReadInLinearTime(_ unit: String) {
        let clock = ContinuousClock()
        let source = Array(("return " + String(repeating: unit, count: 65_536 / unit.utf8.count)).utf8)
        let duration = clock.measure {
            #expect(LuaSourceMap(of: LuaTree(source)).position(of: [.index(1)]).valuePosition.line >= 1)
        }
        #expect(duration < .seconds(5))
    }

    /// On macOS, threads other than the main thread have 512 KB.
    @Test(arguments: ["{", "(", "a[", "f(", "f{", "{[", "{a=", "({", "{f{", "f({[(", "-(", "include("])
    func deepSourcesFitSmallStack(_ unit: String) async {
        let source = Array(("return " + String(repeating: unit, count: 1_000)).utf8)
        #if SANITIZED
            let stackSize = 4 << 20  // a sanitizer makes every frame several times as large
        #else
            let stackSize = 512 << 10
        #endif
        let line = await withCheckedContinuation { continuation in
            onThread(stackSize: stackSize) {
                let map = LuaSourceMap(of: LuaTree(source))
                continuation.resume(returning: map.position(of: [.index(1)]).valuePosition.line)
            }
        }
        #expect(line == 1)
    }

    @Test func nestingBeyondLimitOfLuaIsSkipped() {
        let depth = 5_000
        let text =
            "return { deep = " + String(repeating: "{", count: depth) + String(repeating: "}", count: depth)
            + ", b = 2 }"
        let map = LuaSourceMap(of: LuaTree(Array(text.utf8)))
        #expect(map.position(of: [.key("b")]).isExact)
        let path = [.key("deep")] + Array(repeating: LuaSourceMap.PathElement.index(1), count: depth)
        #expect(!map.position(of: path).isExact)
        #expect(map.position(of: Array(path.prefix(190))).isExact)
    }
}

/// `a.b.2` as a path.
private func path(_ text: String) -> [LuaSourceMap.PathElement] {
    text.split(separator: ".").map { part in Int(part).map { .index($0) } ?? .key(String(part)) }
}

/// The position of `text` in `source`; a NUL at the end of `text` means the end of the source.
private func place(of text: String, in source: String) throws -> LuaSourceMap.Position {
    let source = text.hasSuffix("\0") ? source + "\0" : source
    let ranges = source.ranges(of: text)
    let range = try #require(ranges.count == 1 || source.hasSuffix(text) ? ranges.last : nil, "\(text) is ambiguous")
    let lines = source[..<range.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
    return LuaSourceMap.Position(line: lines.count, column: (lines.last?.unicodeScalars.count ?? 0) + 1)
}

/// Runs `body` on a new thread.
private func onThread(stackSize: Int, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.stackSize = stackSize
    thread.start()
}

private let marketSample = """
    ---@type glass.Market
    local retryDefaults <const> = { maxRetries = 4, jitter = 0.2 }

    local M = {
      id = "ca", name = "Canada",
      extends = "us",
      locales = { "en-CA", "fr-CA" },
      deepLinking = {
        schemes = append{ "walmart.ca" },
        allowedDomains = { { name = "walmart.ca", allowSubdomains = true } },
      },
      ["platform"] = {
        networking = { retry = retryDefaults },
        fees = include "shared/fees.lua", -- Québec
      },
      routables = {
        pharmacy = false,
        flyers = {
          paths = { "flyers/:week" },
          handle = function(link, state)
            if link.parameters.week then
              for _, w in ipairs({}) do state:show("flyers", { week = w }) end
            end
            return true
          end,
          waitForPreconditions = { "signedIn" },
        },
      },
    }
    M.platform.appInfo = { version = [==[
    1.0]==], build = 7 }
    M.routables.account = { paths = { "myaccount" } }
    return M
    """

private let samplePaths = [
    "id", "name", "locales.2", "deepLinking.schemes.1", "deepLinking.allowedDomains.1.allowSubdomains",
    "platform.networking.retry.jitter", "routables.flyers.handle", "routables.flyers.waitForPreconditions.1",
    "platform.appInfo.version", "platform.appInfo.build", "routables.account.paths.1",
]

private let samplePositions = [
    "5:8", "5:21", "7:24", "9:23", "10:65", "2:58", "20:16", "26:32", "30:34", "31:18", "32:35",
]
