import Testing

@testable import LuaBridge

/// Parts of an evaluation with their own time limit.
@Suite(.timeLimit(.minutes(1)))
struct LuaPartTests {
    /// Runs a program whose function `part(f)` runs `f` as a part with its own time limit, and returns which limit
    /// ended it.
    private func run(
        _ source: String, partTime: Duration = .milliseconds(50), memory: Int = 16 << 20,
        cpuTime: Duration = .seconds(20)
    ) throws -> [LuaValue] {
        let limits = LuaLimits(cpuTime: cpuTime, memory: memory)
        let state = try LuaState(profile: .script, limits: limits)
        return try state.perform { lua in
            try lua.evaluate(limits: limits) {
                let part = try lua.function("part") { lua, arguments in
                    guard case .function(let body)? = arguments.first else { return [] }
                    do {
                        _ = try lua.part(time: partTime, outputSize: 100) { () throws(LuaError) in
                            try lua.call(body)
                        }
                        return [.string("ended")]
                    } catch let error as LuaError {
                        guard error.isLimit else { return [LuaValue(error.message)] }
                        return [LuaValue(String(error.message.prefix { $0 != ":" }))]
                    }
                }
                try lua.setGlobal("part", part)
                return try lua.call(try lua.load(LuaSource(source, chunkName: "test.lua")))
            }
        }
    }

    @Test(arguments: [
        ("return 1", "ended"), ("error('no', 0)", "no"), ("while true do end", "time limit exceeded"),
        (
            "pcall(function() while true do pcall(function() while true do end end) end end)",
            "time limit exceeded"
        ),
        ("local t = {} while true do t[#t + 1] = ('x'):rep(1e6) .. #t end", "memory limit exceeded"),
        ("while true do print('x') end", "output limit exceeded"),
        ("coroutine.wrap(function() while true do end end)()", "time limit exceeded"),
    ])
    func limitEndsOnlyThePart(body: String, result: String) throws {
        let values = try run(
            "local first = part(function() \(body) end) return first, part(function() local s = 0 for i = 1, 1e4 do s = s + i end end)",
            // On a busy machine, filling the memory takes more than 50 ms.
            partTime: result.contains("time limit") ? .milliseconds(50) : .seconds(10))
        #expect(values == [LuaValue(result), LuaValue("ended")])
    }

    @Test func timeOfPartDoesNotCountForProgram() throws {
        let values = try run(
            "local n = 0 for i = 1, 6 do if part(function() while true do end end) ~= 'ended' then n = n + 1 end end return n",
            cpuTime: .milliseconds(150))
        #expect(values == [.integer(6)])
    }

    @Test func programLimitAppliesAfterPart() throws {
        #expect {
            try run("part(function() while true do end end) while true do end", cpuTime: .milliseconds(100))
        } throws: { error in
            if case .timeLimit? = error as? LuaError { true } else { false }
        }
    }

    @Test func limitEndsOnlyThePartInCoroutine() throws {
        let values = try run(
            "return coroutine.wrap(function() local r = part(function() while true do end end) coroutine.yield() return r end)() or 'yielded'"
        )
        #expect(values == [LuaValue("yielded")])
    }

    @Test func memoryRetainedByPartStillCounts() throws {
        let values = try run(
            """
            local kept = {}
            local first = part(function() while true do kept[#kept + 1] = ('x'):rep(1e5) .. #kept end end)
            kept = nil
            return first, part(function() local t = ('y'):rep(1e6) end)
            """, partTime: .seconds(10), memory: 8 << 20)
        #expect(values == [LuaValue("memory limit exceeded"), LuaValue("ended")])
    }

    /// The conversion of a result takes as long as it takes, on any machine, and is not the program's time.
    @Test func untimedCodeDoesNotCountForProgram() throws {
        let state = try LuaState(profile: .script, limits: LuaLimits(cpuTime: .seconds(20), memory: 16 << 20))
        let limits = LuaLimits(cpuTime: .milliseconds(100), memory: 16 << 20)
        let (counted, passed, values) = try state.perform { lua in
            try lua.evaluate(limits: limits) { () throws -> (Duration, Duration, [LuaValue]) in
                let before = lua.usage.cpuTime
                let clock = ContinuousClock.now
                // More time than the program has.
                lua.untimed {
                    var sum = 0
                    while clock.duration(to: .now) < .milliseconds(300) { sum &+= 1 }
                }
                let counted = lua.usage.cpuTime - before
                let values = try lua.call(try lua.load(LuaSource("return 1", chunkName: "test.lua")))
                return (counted, clock.duration(to: .now), values)
            }
        }
        #expect(counted < passed / 2)
        #expect(values == [.integer(1)])
        #expect {
            try state.perform { lua in
                try lua.evaluate(limits: limits) {
                    lua.untimed {}
                    return try lua.call(try lua.load(LuaSource("while true do end", chunkName: "test.lua")))
                }
            }
        } throws: { error in
            if case .timeLimit? = error as? LuaError { true } else { false }
        }
    }
}
