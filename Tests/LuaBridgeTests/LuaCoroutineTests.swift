import LuaBridge
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LuaCoroutineTests {
    private func source(_ text: String) -> LuaSource { LuaSource(text, chunkName: "co.lua") }

    @Test func aCoroutineYieldsAndReturns() throws {
        let state = try LuaState(profile: .script, limits: .script)
        try state.perform { lua in
            let body = try lua.load(source("local a, b = ... local c = coroutine.yield(a + b) return c * 2, 'end'"))
            let coroutine = try lua.coroutine(body)
            #expect(lua.status(of: coroutine) == .suspended)
            #expect(try lua.resume(coroutine, [1, 2]) == .yielded([3]))
            #expect(lua.status(of: coroutine) == .suspended)
            #expect(try lua.resume(coroutine, [21]) == .returned([42, "end"]))
            #expect(lua.status(of: coroutine) == .dead)
            do {
                _ = try lua.resume(coroutine)
                Issue.record("a dead coroutine was resumed")
            } catch let error as LuaError {
                #expect(error.message == "cannot resume dead coroutine")
            }
        }
    }

    @Test func aFailureHasTheTracebackOfTheCoroutine() throws {
        let state = try LuaState(profile: .script, limits: .script)
        try state.perform { lua in
            let coroutine = try lua.coroutine(lua.load(source("local function f()\n error('oh') end\nf() return 1")))
            do {
                _ = try lua.resume(coroutine)
                Issue.record("expected a failure")
            } catch let error as LuaError {
                #expect("\(error)" == "co.lua:2: oh")
                #expect(error.traceback.map(\.line) == [nil, 2, 3])
            }
            #expect(lua.status(of: coroutine) == .dead)
        }
    }

    @Test func coroutinesOfTheScriptComeOutAndGoIn() throws {
        let state = try LuaState(profile: .script, limits: .script)
        try state.perform { lua in
            let make = "return coroutine.create(function(x) coroutine.yield(x) return 'done' end)"
            let value = try lua.call(lua.load(source(make)))[0]
            let coroutine = try #require(value.coroutineValue)
            #expect(try lua.resume(coroutine, [5]) == .yielded([5]))
            let rest = try lua.call(lua.load(source("return coroutine.resume(...)")), [value])
            #expect(rest == [true, "done"])
        }
    }

    @Test func closingClosesPendingVariables() throws {
        let state = try LuaState(profile: .script, limits: .script)
        try state.perform { lua in
            let text = """
                closed = 0
                local x <close> = setmetatable({}, { __close = function() closed = closed + 1 end })
                coroutine.yield()
                """
            let coroutine = try lua.coroutine(lua.load(source(text)))
            _ = try lua.resume(coroutine)
            try lua.close(coroutine)
            try lua.close(coroutine)
            #expect(try lua.global("closed") == 1)
            #expect(lua.status(of: coroutine) == .dead)
        }
    }

    @Test func aLimitKillsACoroutine() throws {
        let state = try LuaState(profile: .config, limits: LuaLimits(cpuTime: .milliseconds(20), memory: 4 << 20))
        state.perform { lua in
            do {
                let coroutine = try lua.coroutine(
                    lua.load(source("while true do pcall(function() while true do end end) end")))
                do {
                    _ = try lua.resume(coroutine)
                    Issue.record("expected the time limit")
                } catch LuaError.timeLimit {
                    #expect(lua.status(of: coroutine) == .dead)
                }
            } catch {
                Issue.record("\(error)")
            }
        }
    }

    // MARK: - Asynchronous functions

    private func waitingState(_ profile: LuaProfile = .script) throws -> LuaState {
        let state = try LuaState(profile: profile, limits: .script)
        try state.perform { lua in
            let double = try lua.asyncFunction("double") { arguments in
                await Task.yield()
                return [.integer(Int64((arguments.first?.integerValue ?? 0) * 2))]
            }
            try lua.setGlobal("double", double)
            try lua.setGlobal("refuse", try lua.asyncFunction("refuse") { _ in throw Refused() })
        }
        return state
    }

    @Test(arguments: [LuaProfile.config, .script])
    func luaWaitsForSwift(_ profile: LuaProfile) async throws {
        let state = try waitingState(profile)
        let main = try state.perform { lua in
            try lua.load(source("local s = 0 for i = 1, 10 do s = s + double(i) end return s, ..."))
        }
        #expect(try await state.run(main, ["x"]) == [110, "x"])
    }

    @Test func errorsOfAsynchronousFunctionsStandAtTheCallingLine() async throws {
        let state = try waitingState()
        let main = try state.perform { try $0.load(source("\nrefuse()")) }
        do {
            _ = try await state.run(main)
            Issue.record("expected a failure")
        } catch {
            #expect("\(error)" == "co.lua:2: no such thing")
        }
        let caught = try state.perform { try $0.load(source("return pcall(refuse)")) }
        #expect(try await state.run(caught).first == false)
    }

    @Test func manyRunsShareOneState() async throws {
        let state = try waitingState()
        let main = try state.perform { try $0.load(source("local n = ... for i = 1, 5 do n = double(n) end return n")) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 1...20 {
                group.addTask { try await state.run(main, [.integer(Int64(number))]) == [.integer(Int64(number * 32))] }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func waitingElsewhereIsAnError() async throws {
        let state = try waitingState()
        let direct = try state.perform { try $0.load(source("return double(1)")) }
        do {
            _ = try state.perform { try $0.call(direct) }
            Issue.record("expected a failure")
        } catch let error as LuaError {
            #expect(error.message.hasPrefix("an asynchronous function can only wait in a function that LuaState.run"))
        }
        let inside = try state.perform {
            try $0.load(source("return coroutine.wrap(function() return double(1) end)()"))
        }
        await #expect(throws: LuaError.self) { try await state.run(inside) }
        let sorting = try state.perform { try $0.load(source("table.sort({ 2, 1 }, function() double(1) end)")) }
        do {
            _ = try await state.run(sorting)
            Issue.record("expected a failure")
        } catch let error as LuaError {
            #expect(error.message == "an asynchronous function cannot wait inside of a library function")
        }
    }

    @Test func theLimitHoldsForAllPieces() async throws {
        let state = try waitingState()
        let main = try state.perform { lua in
            try lua.load(source("while true do for i = 1, 20000 do end double(1) end"))
        }
        var limits = LuaLimits.script
        limits.instructions = 200_000
        do {
            _ = try await state.run(main, limits: limits)
            Issue.record("expected the limit")
        } catch LuaError.instructionLimit {}
    }

    @Test func cancellingStopsLuaAndClosesItsVariables() async throws {
        let state = try waitingState()
        let (started, continuation) = AsyncStream<Void>.makeStream()
        let main = try state.perform { lua in
            try lua.setGlobal("started", try lua.bind("started") { () -> Void in continuation.yield() })
            return try lua.load(
                source(
                    """
                    closed = false
                    local x <close> = setmetatable({}, { __close = function() closed = true end })
                    started()
                    wait()
                    """))
        }
        try state.perform { lua in
            let wait = try lua.asyncFunction("wait") { _ in
                // Ends when the task is cancelled and not before.
                for await _ in AsyncStream<Void>(unfolding: { try? await Task.sleep(for: .seconds(3600)) }) {
                    try Task.checkCancellation()
                }
                return []
            }
            try lua.setGlobal("wait", wait)
        }
        let task = Task { try await state.run(main) }
        for await _ in started { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try state.perform { try $0.global("closed") } == true)
    }

    @Test func cancellingInterruptsARunningLoop() async throws {
        let state = try LuaState(profile: .config, limits: .script)
        let (started, continuation) = AsyncStream<Void>.makeStream()
        let main = try state.perform { lua in
            try lua.setGlobal("started", try lua.bind("started") { () -> Void in continuation.yield() })
            return try lua.load(source("started() while true do pcall(function() while true do end end) end"))
        }
        let task = Task { try await state.run(main) }
        for await _ in started { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // The state serves again.
        #expect(try state.perform { try $0.call($0.load(source("return 1"))) } == [1])
    }

    @Test func closingTheStateEndsARunThatWaits() async throws {
        let state = try LuaState(profile: .config, limits: .script)
        let main = try state.perform { lua in
            try lua.setGlobal(
                "close",
                try lua.asyncFunction("close") { _ in
                    state.close(); return []
                })
            return try lua.load(source("close()"))
        }
        do {
            _ = try await state.run(main)
            Issue.record("expected a failure")
        } catch let error as LuaError {
            #expect(error.message == "the LuaState was closed while the function waited")
        }
    }

    @Test func enqueuedWorkDoesNotBlock() async throws {
        let state = try LuaState(profile: .config, limits: .config)
        #expect(try await state.enqueue { try $0.call($0.load(LuaSource("return 1", chunkName: "x"))) } == [1])
        await #expect(throws: Refused.self) { try await state.enqueue { _ in throw Refused() } }
    }

    @Test func theOutputLimitHoldsForAllPieces() async throws {
        let state = try waitingState()
        let main = try state.perform { lua in
            try lua.load(source("for i = 1, 10 do print('0123456789') double(1) end"))
        }
        var limits = LuaLimits.script
        limits.outputSize = 100
        do {
            _ = try await state.run(main, limits: limits)
            Issue.record("expected the limit")
        } catch LuaError.outputLimit {}
        limits.outputSize = 110
        _ = try await state.run(main, limits: limits)
    }
}
