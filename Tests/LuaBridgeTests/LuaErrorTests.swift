import LuaBridge
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LuaErrorTests {
    static let syntaxErrors: [(String, String)] = [
        ("return = 2", "test.lua:1:8: unexpected symbol near '='"),
        ("local x = 1\nreturn { a b }", "test.lua:2:12: '}' expected near 'b'"),
        ("return {", "test.lua:1:9: unexpected symbol near <eof>"),
        ("return {\n\n\n", "test.lua:1:9: unexpected symbol near <eof>"),
        ("x = 'é' y = ", "test.lua:1:12: unexpected symbol near <eof>"),
        ("x = 'é' = 1", "test.lua:1:9: unexpected symbol near '='"),
        ("local s = 'abc", "test.lua:1:11: unfinished string near <eof>"),
        ("x = 12ab", "test.lua:1:5: malformed number near '12ab'"),
        ("local x <const> = 1\nx = 2", "test.lua:2:3: attempt to assign to const variable 'x'"),
        ("x = }", "test.lua:1:5: unexpected symbol near '}'"),
        ("if true then", "test.lua:1:13: 'end' expected near <eof>"),
    ]

    @Test(arguments: syntaxErrors)
    func syntaxErrorsHaveLineAndColumn(_ text: String, _ description: String) throws {
        let error = try #require(failure(text))
        guard case .syntax = error else {
            Issue.record("expected a syntax error, got \(error)")
            return
        }
        #expect("\(error)" == description)
    }

    static let runtimeErrors: [(String, String)] = [
        ("error('boom')", "test.lua:1: boom"),
        ("\nerror('boom', 0)", "test.lua:2: boom"),
        ("local function f() error('boom', 2) end\nf()", "test.lua:2: boom"),
        ("local x = nil\nreturn x.y", "test.lua:2: attempt to index a nil value (local 'x')"),
        ("error({})", "test.lua:1: error value is a table"),
        ("error(nil)", "test.lua:1: error value is nil"),
        ("error()", "test.lua:1: error value is nil"),
        ("error(12)", "test.lua:1: 12"),
        ("error('other-market.lua:1: forged', 0)", "test.lua:1: other-market.lua:1: forged"),
        ("assert(false, 'no')", "test.lua:1: no"),
        ("local t = {} t[nil] = 1", "test.lua:1: table index is nil"),
        ("return 1 + {}", "test.lua:1: attempt to perform arithmetic on a table value"),
        ("string.rep()", "test.lua:1: bad argument #1 to 'rep' (string expected, got no value)"),
    ]

    @Test(arguments: runtimeErrors)
    func runtimeErrorHasRunningLine(_ text: String, _ description: String) throws {
        let error = try #require(failure(text))
        guard case .runtime = error else {
            Issue.record("expected a runtime error, got \(error)")
            return
        }
        #expect("\(error)" == description)
    }

    @Test func longChunkNameIsNotTruncated() throws {
        let name = "markets/" + String(repeating: "very/", count: 20) + "long.lua"
        let error = try #require(failure("\nerror('boom')", chunk: name))
        #expect("\(error)" == "\(name):2: boom")
    }

    @Test func tracebackConsistsOfFrames() throws {
        let text = """
            local function inner() error('boom') end
            local function outer()
              inner()
            end
            outer()
            """
        let error = try #require(failure(text))
        #expect(
            error.traceback == [
                LuaFrame(chunk: "", line: nil, function: "error", kind: .native),
                LuaFrame(chunk: "test.lua", line: 1, function: "inner", kind: .lua),
                LuaFrame(chunk: "test.lua", line: 3, function: "outer", kind: .lua),
                LuaFrame(chunk: "test.lua", line: 5, function: nil, kind: .main),
            ]
        )
        #expect(error.traceback[1].description == "test.lua:1: in function 'inner'")
    }

    @Test func longTracebackIsTruncated() throws {
        let error = try #require(failure("local function f(n) if n == 0 then error('x') end f(n - 1) end f(1000)"))
        #expect(error.traceback.count <= 40)
        #expect(error.detail.skippedFrames > 900)
        #expect(error.traceback.last?.kind == .main)
    }

    @Test func runawayRecursionIsAnError() throws {
        let error = try #require(failure("local function f() return 1 + f() end return f()"))
        #expect(error.message.hasPrefix("stack overflow") || error.isLimit)
    }

    @Test func errorInCoroutineHasItsLine() throws {
        let text = "local c = coroutine.wrap(function()\nerror('boom')\nend)\nc()"
        let error = try #require(failure(text, profile: .script))
        #expect("\(error)" == "test.lua:2: boom")
    }

    @Test func memoryErrorsAreApproximate() throws {
        let text = "local s = 'x'\nwhile true do\n  s = s .. s\nend"
        let error = try #require(failure(text, limits: LuaLimits(cpuTime: .seconds(5), memory: 4 << 20)))
        #expect(error.position?.isApproximate == true)
        #expect(error.position?.chunk == "test.lua")
    }

    @Test func everyErrorDescribesItself() {
        let detail = LuaErrorDetail(message: "m", position: LuaPosition(chunk: "c", line: 1, column: 2))
        #expect(LuaError.conversion(keyPath: "a.b", detail).description == "c:1:2: a.b: m")
        #expect(LuaError.denied(name: "os", detail).description == "c:1:2: m")
        #expect(LuaError.cycle(keyPath: "", LuaErrorDetail(message: "m")).description == "m")
    }

    static let badArguments: [(String, String)] = [
        ("string.format('%d', 'x')", "bad argument #2 to 'format' (number expected, got string)"),
        ("string.format('%s')", "bad argument #2 to 'format' (no value)"),
        ("table.concat({ 1 }, {})", "bad argument #2 to 'concat' (string expected, got table)"),
        ("table.insert({}, 5, 1)", "bad argument #2 to 'insert' (position out of bounds)"),
        ("table.remove({}, 'x')", "bad argument #2 to 'remove' (number expected, got string)"),
        ("table.unpack({}, 'x')", "bad argument #2 to 'unpack' (number expected, got string)"),
        ("table.move({}, 1, 1, 1, 5)", "bad argument #5 to 'move' (table expected, got number)"),
        ("table.sort({ 2, 1 }, 5)", "bad argument #2 to 'sort' (function expected, got number)"),
        ("utf8.len('abc', 9)", "bad argument #2 to 'len' (initial position out of bounds)"),
        ("utf8.codepoint('abc', 9)", "bad argument #3 to 'codepoint' (out of bounds)"),
    ]

    /// Guards wrap the library's functions; error messages must still name the function.
    @Test(arguments: badArguments)
    func badArgumentErrorNamesFunction(_ call: String, _ message: String) throws {
        for profile in [LuaProfile.config, .script] {
            let error = try #require(failure("return " + call, profile: profile))
            #expect("\(error)" == "test.lua:1: \(message)")
            #expect(
                try run("return select(2, pcall(function() local _ = \(call) end))", profile: profile) == [
                    LuaValue("test.lua:1: \(message)")
                ])
        }
    }

    private struct LongError: Error, CustomStringConvertible {
        let description = "no: " + String(repeating: "x", count: 3_000_000)
    }

    @Test func overlongMessageKeepsBeginning() throws {
        let error = try #require(
            failure("f()") { lua in ["f": try lua.function("f") { _, _ in throw LongError() }] })
        #expect(error.message == "no: " + String(repeating: "x", count: 496) + "…")
        var limits = LuaLimits.config
        limits.tapeBytes = 100
        let shorter = try #require(
            failure("f()", limits: limits) { lua in ["f": try lua.function("f") { _, _ in throw LongError() }] })
        #expect(shorter.message == "a host function failed, and its message exceeds the limits")
    }

    @Test func byteOrderMarkIsSkipped() throws {
        #expect(try run("\u{FEFF}return 1") == [1])
        #expect(try run("\u{FEFF}#!/usr/bin/lua\nreturn 1") == [1])
        let error = try #require(failure("\u{FEFF}x = = 1"))
        #expect("\(error)" == "test.lua:1:5: unexpected symbol near '='")
    }

    /// `pcall` followed by `error(message, 0)` is how Lua code rethrows an error.
    @Test func rethrownErrorKeepsKindAndPosition() throws {
        let again = "local ok, e = pcall(bad)\nerror(e, 0)"
        let conversion = failure(again) { lua in
            [
                "bad": try lua.function("bad") { _, _ in
                    throw LuaError.conversion(keyPath: "a.b", LuaErrorDetail(message: "nope"))
                }
            ]
        }
        guard case .conversion("a.b", _) = conversion else {
            Issue.record("expected a conversion, got \(String(describing: conversion))")
            return
        }
        #expect(conversion?.description == "test.lua:1: a.b: nope")
        let denied = failure("local ok, e = pcall(function() return nothing end)\nerror(e, 0)")
        #expect(denied?.description == "test.lua:1: undefined global 'nothing'")
    }

    @Test func framesAndSkippedFramesAddUp() throws {
        let text = "local function f(n) if n == 0 then error('boom') end return 1 + f(n - 1) end local r = f(1000)"
        let error = try #require(failure(text))
        #expect(error.traceback.filter { $0.function == "f" }.count + error.detail.skippedFrames == 1001)
    }
}
