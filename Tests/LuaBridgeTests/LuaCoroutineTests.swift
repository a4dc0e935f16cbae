import LuaBridge
import Testing

/// The coroutine library of scripts, which this project implements itself so that limits pass through it.
@Suite(.timeLimit(.minutes(5)))
struct LuaCoroutineTests {
    @Test func coroutineYieldsAndReturns() throws {
        let values = try run(
            """
            local c = coroutine.create(function(a, b) local c = coroutine.yield(a + b) return c * 2, 'end' end)
            local seen = { coroutine.status(c), { coroutine.resume(c, 1, 2) } }
            seen[3], seen[4] = coroutine.status(c), { coroutine.resume(c, 21) }
            seen[5], seen[6] = coroutine.status(c), { coroutine.resume(c) }
            return seen
            """, profile: .script)
        #expect(
            values == [
                [
                    "suspended", [true, 3], "suspended", [true, 42, "end"], "dead",
                    [false, "cannot resume dead coroutine"],
                ]
            ])
    }

    @Test func errorInCoroutineHasItsLine() throws {
        let text = "local function f()\n error('oh') end\nlocal c = coroutine.create(function() f() return 1 end)\n"
        let values = try run(text + "return coroutine.status(c), coroutine.resume(c)", profile: .script)
        #expect(values == ["suspended", false, "test.lua:2: oh"])
        let error = try #require(failure(text + "error(select(2, coroutine.resume(c)), 0)", profile: .script))
        #expect("\(error)" == "test.lua:4: test.lua:2: oh")
    }

    /// Swift cannot resume a coroutine, but its reference keeps the identity: it can be passed back, even later.
    @Test func coroutinePassedBackIsTheSame() throws {
        let state = try LuaState(profile: .script, limits: .script)
        @Sendable func source(_ text: String) -> LuaSource { LuaSource(text, chunkName: "co.lua") }
        let coroutine = try state.perform { lua in
            let make = "return coroutine.create(function(x) local y = coroutine.yield(x) return y end)"
            let value = try lua.call(lua.load(source(make)))[0]
            #expect(value.typeName == "thread")
            return try #require(value.coroutineValue)
        }
        try state.perform { lua in
            let resume = try lua.load(source("return coroutine.resume(...)"))
            #expect(try lua.call(resume, [.coroutine(coroutine), 5]) == [true, 5])
            #expect(try lua.call(resume, [.coroutine(coroutine), "done"]) == [true, "done"])
            let echo = try lua.load(source("return ..., coroutine.create(print)"))
            let (same, other) = try lua.call(
                echo, passing: LuaValue.coroutine(coroutine), returning: LuaValue.self, LuaValue.self)
            #expect(same == .coroutine(coroutine))
            #expect(other != .coroutine(coroutine))
        }
    }

    @Test func closeRunsPendingVariablesOnce() throws {
        let values = try run(
            """
            local closed = 0
            local c = coroutine.create(function()
                local x <close> = setmetatable({}, { __close = function() closed = closed + 1 end })
                coroutine.yield()
            end)
            coroutine.resume(c)
            return { coroutine.close(c) }, { coroutine.close(c) }, closed, coroutine.status(c)
            """, profile: .script)
        #expect(values == [[true], [true], 1, "dead"])
    }

    @Test func closeReturnsErrorOfCloseHandler() throws {
        let values = try run(
            """
            local c = coroutine.create(function()
                local x <close> = setmetatable({}, { __close = function() error('no', 0) end })
                coroutine.yield()
            end)
            coroutine.resume(c)
            return coroutine.close(c)
            """, profile: .script)
        #expect(values == [false, "no"])
    }

    @Test func outputLimitAppliesInCoroutines() throws {
        var limits = LuaLimits.script
        limits.outputSize = 100
        let text = "local c = coroutine.wrap(function() while true do print('0123456789') coroutine.yield() end end)"
        guard case .outputLimit = failure(text + " while true do pcall(c) end", profile: .script, limits: limits) else {
            Issue.record("expected the output limit")
            return
        }
    }

    /// A state in which a coroutine never ended can run the next evaluation.
    @Test func limitInCoroutineLeavesStateUsable() throws {
        let state = try LuaState(profile: .script, limits: LuaLimits(cpuTime: .milliseconds(20), memory: 4 << 20))
        try state.perform { (lua) throws in
            let loop = """
                c = coroutine.wrap(function() while true do pcall(function() while true do end end) end end)
                c()
                """
            do {
                try lua.call(lua.load(LuaSource(loop, chunkName: "loop")))
                Issue.record("expected the time limit")
            } catch LuaError.timeLimit {}
            let again = "return pcall(c)"
            #expect(
                try lua.call(lua.load(LuaSource(again, chunkName: "again"))) == [
                    false, "cannot resume a coroutine that a limit has stopped",
                ])
        }
    }
}
