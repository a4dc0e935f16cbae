import Dispatch
import LuaBridge
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LuaLimitTests {
    static let endless: [String] = [
        "while true do end",
        "while true do pcall(function() while true do end end) end",
        "local function f() while true do end end while true do xpcall(f, f) end",
        "for i = 1, math.maxinteger do end",
        "return string.find(('a'):rep(400), ('.-'):rep(8) .. 'b')",
        "return (('a'):rep(20000):gsub('.-.-.-b', ''))",
        "local t = {} for i = 1, 100000 do t[i] = (i * 7919) % 100003 end while true do table.sort(t) end",
        "local t = {} for i = 1, 100000 do t[i] = i end while true do next(t, 100000) end",
        "local s = ('0'):rep(4000000) while true do local x = s + 0 end",
        "local s, u = ('a'):rep(4000000), ('a'):rep(3999999) .. 'a' while true do local x = s == u end",
        "local s = ('x'):rep(3000000) while true do utf8.len(s) end",
        "while true do s = ('x'):rep(1000000) end",
        "return ('x'):rep(100000):find(('x'):rep(50000) .. 'y', 1, true), (function() while true do end end)()",
    ]

    @Test func interruptEndsCurrentAndLaterCalls() throws {
        var limits = LuaLimits.config
        limits.cpuTime = .seconds(120)
        let state = try LuaState(profile: .config, limits: limits)
        DispatchQueue.global().async { state.interrupt() }
        let time = ContinuousClock().measure {
            for text in ["while true do end", "local t = {} while true do pcall(error) end"] {
                #expect {
                    try state.perform { lua in
                        _ = try lua.call(try lua.load(LuaSource(text, chunkName: "x")))
                    }
                } throws: { error in
                    if case LuaError.timeLimit = error { true } else { false }
                }
            }
        }
        #expect(time < .seconds(60))
        // Once the interruption ends, the state runs again.
        state.endInterruption()
        let text = "local n = 0 for i = 1, 100000 do n = n + 1 end return n"
        let values = try state.perform { lua in try lua.call(try lua.load(LuaSource(text, chunkName: "x"))) }
        #expect(values == [.integer(100_000)])
        state.close()
        state.interrupt()
        state.endInterruption()
    }

    @Test(arguments: endless)
    func endlessWorkIsLimited(_ text: String) throws {
        for profile in [LuaProfile.config, .script] {
            // A virtual machine attributes time taken by its host to the thread, so one of three tries is enough.
            var times: [Duration] = []
            repeat {
                let (error, usage) = try evaluateEndlessly(text, profile)
                guard case .timeLimit(let detail) = error else {
                    Issue.record("expected the time limit, got \(String(describing: error)) for \(text)")
                    break
                }
                #expect(detail.message == "time limit exceeded: 100 ms of CPU time")
                times.append(usage.cpuTime)
            } while times.count < 3 && times.allSatisfy { $0 >= .milliseconds(150) }
            #expect(times.contains { $0 < .milliseconds(150) }, "\(times)")
        }
    }

    private func evaluateEndlessly(_ text: String, _ profile: LuaProfile) throws -> (LuaError?, LuaUsage) {
        let state = try LuaState(
            profile: profile, limits: LuaLimits(cpuTime: .milliseconds(100), memory: 32 * 1024 * 1024))
        defer { state.close() }
        return state.perform { lua in
            var error: LuaError?
            do {
                _ = try lua.evaluate { try lua.call(lua.load(LuaSource(text, chunkName: "test.lua"))) }
            } catch let failure as LuaError {
                error = failure
            } catch {
                Issue.record("\(error)")
            }
            return (error, lua.usage)
        }
    }

    static let endlessInScripts: [String] = [
        "coroutine.wrap(function() while true do end end)()",
        "local c = coroutine.wrap(function() while true do coroutine.yield() end end) while true do c() end",
        "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
        "while true do coroutine.wrap(function() for i = 1, 100 do end end)() end",
        "local x <close> = setmetatable({}, { __close = function() while true do end end }) while true do end",
        """
        local co = coroutine.create(function() local x <close> = setmetatable({}, { __close = function() while true do end end }) while true do end end)
        while true do pcall(coroutine.resume, co) pcall(coroutine.close, co) end
        """,
        "local f = load('while true do end') while true do pcall(f) end",
        "local t = setmetatable({}, { __index = function() while true do end end }) return t.x",
        "return setmetatable({}, { __eq = function() while true do end end }) == setmetatable({}, {}), (function() while true do end end)()",
    ]

    @Test(arguments: endlessInScripts)
    func endlessScriptsAreLimited(_ text: String) {
        let error = failure(text, profile: .script, limits: LuaLimits(cpuTime: .milliseconds(50), memory: 32 << 20))
        guard case .timeLimit = error else {
            Issue.record("expected the time limit, got \(String(describing: error))")
            return
        }
    }

    static let bombs: [String] = [
        "local s = 'x' while true do s = s .. s end",
        "local t = {} while true do t[#t + 1] = {} end",
        "return ('x'):rep(1 << 31)",
        "local s = 'x' while true do pcall(function() s = s .. s end) end",
        "local s = 'x' while true do s = string.format('%s%s', s, s) end",
        "local t = {} for i = 1, 10000 do t[i] = ('x'):rep(1 << 20) end return table.concat(t)",
    ]

    @Test(arguments: bombs)
    func memoryBombsAreLimited(_ text: String) {
        for profile in [LuaProfile.config, .script] {
            let limits = LuaLimits(cpuTime: .seconds(5), memory: 8 * 1024 * 1024)
            let error = failure(text, profile: profile, limits: limits)
            guard case .memoryLimit(let detail) = error else {
                Issue.record("expected the memory limit, got \(String(describing: error)) for \(text)")
                continue
            }
            #expect(detail.message == "memory limit exceeded: 8 MB")
            #expect(detail.traceback.isEmpty)
        }
    }

    @Test func stateIsUsableAfterLimit() throws {
        let state = try LuaState(profile: .script, limits: LuaLimits(cpuTime: .milliseconds(20), memory: 4 << 20))
        try state.perform { (lua) throws in
            for text in ["while true do end", "local s = 'x' while true do s = s .. s end"] {
                #expect(throws: LuaError.self) { try lua.call(lua.load(LuaSource(text, chunkName: "bad"))) }
                #expect(try lua.call(lua.load(LuaSource("return 1 + 1", chunkName: "good"))) == [2])
            }
        }
    }

    @Test func coroutineStoppedByLimitNeverResumes() throws {
        let state = try LuaState(profile: .script, limits: LuaLimits(cpuTime: .milliseconds(20), memory: 4 << 20))
        try state.perform { (lua) throws in
            let first = """
                co = coroutine.create(function()
                    local x <close> = setmetatable({}, { __close = function() while true do end end })
                    while true do end
                end)
                coroutine.resume(co)
                """
            #expect(throws: LuaError.self) { try lua.call(lua.load(LuaSource(first, chunkName: "first"))) }
            let second = "local a, b = coroutine.resume(co) local c, d = coroutine.close(co) return a, b, c, d"
            #expect(
                try lua.call(lua.load(LuaSource(second, chunkName: "second"))) == [
                    false, "cannot resume a coroutine that a limit has stopped",
                    false, "cannot close a coroutine that a limit has stopped",
                ]
            )
        }
    }

    @Test func instructionsAreLimited() throws {
        var limits = LuaLimits.config
        limits.instructions = 50_000
        let error = failure("\nwhile true do end", limits: limits)
        guard case .instructionLimit(let detail) = error else {
            Issue.record("expected the instruction limit, got \(String(describing: error))")
            return
        }
        #expect(detail.message == "instruction limit exceeded: 50,000 instructions")
        #expect(detail.position == LuaPosition(chunk: "test.lua", line: 2))
        #expect(detail.traceback == [LuaFrame(chunk: "test.lua", line: 2, function: nil, kind: .main)])
    }

    @Test func wallTimeIsLimited() throws {
        var limits = LuaLimits.script
        limits.wallTime = .milliseconds(20)
        guard case .timeLimit(let detail) = failure("while true do end", profile: .script, limits: limits) else {
            Issue.record("expected the time limit")
            return
        }
        #expect(detail.message == "time limit exceeded: 20 ms")
    }

    @Test func hostFunctionSeesRemainingTime() throws {
        let seen = Lines()
        func see(_ limits: LuaLimits) throws -> [LuaValue] {
            try run("look() for i = 1, 100000 do end look()", profile: .script, limits: limits) { lua in
                let look = try lua.function("look") { lua, _ in
                    seen.add(lua.remainingTime.map { "\($0 > .zero && $0 <= .seconds(600))" } ?? "nil")
                    return []
                }
                return ["look": look]
            }
        }
        var limits = LuaLimits.script
        _ = try see(limits)
        limits.wallTime = .seconds(600)
        _ = try see(limits)
        #expect(seen.all == ["nil", "nil", "true", "true"])
        let state = try LuaState(profile: .config, limits: limits)
        #expect(state.perform { $0.remainingTime } == nil)
    }

    @Test func expiredTimeIsZeroAndEndsLua() throws {
        var limits = LuaLimits.script
        limits.wallTime = .milliseconds(20)
        let error = failure("wait() while true do end", profile: .script, limits: limits) { lua in
            let wait = try lua.function("wait") { lua, _ in
                var last = try #require(lua.remainingTime)
                while last > .zero {
                    let left = try #require(lua.remainingTime)
                    #expect(left <= last)
                    last = left
                }
                return []
            }
            return ["wait": wait]
        }
        guard case .timeLimit = error else {
            Issue.record("expected the time limit, got \(String(describing: error))")
            return
        }
    }

    @Test func outputIsLimited() throws {
        guard case .outputLimit(let detail) = failure("while true do pcall(print, ('x'):rep(1000)) end") else {
            Issue.record("expected the output limit")
            return
        }
        #expect(detail.message == "output limit exceeded: 64 KB")
    }

    @Test func sourceSizeIsLimited() throws {
        let long = "return '" + String(repeating: "x", count: 70_000) + "'"
        guard case .sourceTooLarge(let detail) = failure(long) else {
            Issue.record("expected the source limit")
            return
        }
        #expect(detail.message == "the source has 70009 bytes, more than the limit of 65536")
    }

    @Test func limitErrorsPassThroughSwift() throws {
        let error = failure(
            "while true do guard(function() while true do end end) end",
            limits: LuaLimits(cpuTime: .milliseconds(20), memory: 4 << 20)
        ) { lua in
            [
                "guard": try lua.function("guard") { lua, arguments in
                    guard let function = arguments[0].functionValue else { return [] }
                    do {
                        return try lua.call(function)
                    } catch {
                        return ["caught"]
                    }
                }
            ]
        }
        guard case .timeLimit = error else {
            Issue.record("expected the time limit, got \(String(describing: error))")
            return
        }
    }

    @Test func evaluationsShareOneBudget() throws {
        let state = try LuaState(profile: .config, limits: .config)
        try state.perform { lua in
            var limits = LuaLimits.config
            limits.instructions = 100_000
            let chunk = try lua.load(LuaSource("for i = 1, 30000 do end", chunkName: "loop"))
            try lua.evaluate(limits: limits) { try lua.call(chunk) }
            let first = lua.usage.instructions
            #expect(first >= 29_000)
            #expect(throws: LuaError.self) {
                try lua.evaluate(limits: limits) {
                    for _ in 0..<10 { try lua.evaluate(limits: .script) { try lua.call(chunk) } }
                }
            }
            #expect(throws: LuaError.self) {
                try lua.evaluate(limits: limits) {
                    for _ in 0..<10 {
                        do { try lua.call(chunk) } catch { continue }
                    }
                }
            }
        }
    }

    @Test func terminatedRunPrintsNothing() throws {
        let lines = Lines()
        let limits = LuaLimits(cpuTime: .milliseconds(20), memory: 16 << 20)
        let state = try LuaState(profile: .script, limits: limits, output: { lines.add("\($0)") })
        let text = "local a <close> = setmetatable({}, { __close = print }) print('alive') while true do end"
        let error = state.perform { lua in
            do throws(LuaError) {
                try lua.call(lua.load(LuaSource(text, chunkName: "test.lua")))
                return nil as LuaError?
            } catch {
                return error
            }
        }
        state.close()
        guard case .timeLimit = error else {
            Issue.record("expected the time limit, got \(String(describing: error))")
            return
        }
        #expect(lines.all == ["alive"])
    }

    /// Limits of one evaluation end with it, also for functions passed to the next call.
    @Test func evaluationLimitsEndWithEvaluation() throws {
        let state = try LuaState(profile: .config, limits: .config)
        defer { state.close() }
        try state.perform { lua in
            let count = try lua.load(LuaSource("return #({ ... })[1]", chunkName: "test.lua"))
            let list = LuaValue.table(LuaTable(array: Array(repeating: 1, count: 100)))
            var limits = LuaLimits.config
            limits.tapeNodes = 5
            #expect(throws: LuaError.self) { try lua.evaluate(limits: limits) { try lua.call(count, [list]) } }
            #expect(try lua.call(count, [list]) == [100])
            #expect(throws: LuaError.self) { try lua.evaluate(limits: limits) { try lua.setGlobal("x", list) } }
            try lua.setGlobal("x", list)
        }
    }

    @Test func lineEndCountsAsOutput() throws {
        var limits = LuaLimits.config
        limits.outputSize = 10
        #expect(try run("print('12345') print('123') return 1", limits: limits) == [1])
        guard case .outputLimit = failure("print('12345') print('1234')", limits: limits) else {
            Issue.record("expected the output limit")
            return
        }
    }
}
