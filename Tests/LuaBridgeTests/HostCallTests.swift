import Foundation
import LuaBridge
import Synchronization
import TestSupport
import Testing

/// The guards of a call from Lua apply to every way of calling Swift.
@Suite(.timeLimit(.minutes(2)))
struct HostCallTests {
    /// The ways in which Lua can call Swift.
    enum Road: CaseIterable {
        case function, typedFunction, method, typedMethod
    }

    private final class Target: Sendable {}

    private struct Failed: Error {}

    /// A Lua function that calls `body` in that way.
    private static func caller(
        _ road: Road, in lua: LuaContext, _ body: @escaping @Sendable ([LuaValue]) throws -> [LuaValue]
    ) throws -> LuaValue {
        let type: LuaObjectType
        switch road {
        case .function: return try lua.function("call") { _, arguments in try body(arguments) }
        case .typedFunction:
            return try lua.bind("call") { (arguments: LuaVariadic) in LuaVariadic(try body(arguments.values)) }
        case .method:
            type = LuaObjectType(name: "target", methods: ["call": { _, _, arguments in try body(arguments) }])
        case .typedMethod:
            type = LuaObjectType(name: "target")
                .method("call") { (_: Target, arguments: LuaVariadic) in LuaVariadic(try body(arguments.values)) }
        }
        let wrap = LuaSource("local o = ... return function(...) return o:call(...) end", chunkName: "wrap")
        return try lua.call(lua.load(wrap), [try lua.object(Target(), type)])[0]
    }

    /// Uses CPU time, however busy the machine is.
    private static func work(for duration: Duration) {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let end = now() + duration / .seconds(1)
        while now() < end {}
    }

    /// The hook runs every thousand instructions, which can include a hundred slow calls.
    @Test(arguments: Road.allCases, [false, true])
    func slowCallsReachTimeLimit(_ road: Road, _ fails: Bool) throws {
        let limits = LuaLimits(cpuTime: .milliseconds(40), memory: 4 << 20)
        let calls = Counter()
        let error = failure("while true do pcall(call) end", profile: .script, limits: limits) { lua in
            let call = try Self.caller(road, in: lua) { _ in
                calls.add(1)
                Self.work(for: .milliseconds(5))
                if fails { throw Failed() }
                return []
            }
            return ["call": call]
        }
        guard case .timeLimit = error else {
            Issue.record("expected the time limit, got \(String(describing: error))")
            return
        }
        // Under a sanitizer, the clock of a limit runs at a quarter of its speed.
        #expect(calls.value < (Sanitizer.name == nil ? 20 : 80))
    }

    @Test(arguments: Road.allCases)
    func collectedObjectsAreReleasedAtNextCall(_ road: Road) throws {
        let counter = Counter()
        let seen = Lines()
        _ = try run(
            """
            for i = 1, 500 do local x = make() end
            for i = 1, 200000 do local t = { i } end
            call() call()
            """, profile: .script
        ) { lua in
            let type = LuaObjectType(name: "counted")
            return [
                "make": try lua.function("make") { lua, _ in [try lua.object(Counted(counter), type)] },
                "call": try Self.caller(road, in: lua) { _ in
                    seen.add("\(counter.value < 50)")
                    return []
                },
            ]
        }
        #expect(seen.all.last == "true")
        #expect(counter.value == 0)
    }

    /// A megabyte in the value buffer takes several in Swift, and calls nest.
    @Test(arguments: Road.allCases)
    func largeArgumentsCountDuringCall(_ road: Road) throws {
        let state = try LuaState(profile: .script, limits: .script)
        defer { state.close() }
        let (before, usage) = try state.perform { lua in
            try lua.setGlobal("call", try Self.caller(road, in: lua) { [.integer(Int64($0.count))] })
            let make = LuaSource("t = {} for i = 1, 90000 do t[i] = true end", chunkName: "make")
            try lua.call(lua.load(make))
            let before = lua.usage.memory
            try lua.call(lua.load(LuaSource("for i = 1, 20 do assert(call(t) == 1) end", chunkName: "calls")))
            return (before, lua.usage)
        }
        #expect(usage.peakMemory > before + 1_000_000)
        #expect(usage.memory < before + 100_000)
    }

    /// The limit covers all values of one transfer together, not each value.
    @Test(arguments: Road.allCases)
    func resultsShareOneLimit(_ road: Road) throws {
        var limits = LuaLimits.config
        limits.tapeNodes = 1000
        let half = LuaValue.table(LuaTable(array: Array(repeating: 1, count: 600)))
        let error = failure("call()", limits: limits) { lua in
            ["call": try Self.caller(road, in: lua) { _ in [half, half] }]
        }
        #expect(error?.message == "there is too much data for one call into Lua")
        #expect(
            try run("return #call()", limits: limits) { lua in
                ["call": try Self.caller(road, in: lua) { _ in [half] }]
            } == [600])
    }

    @Test func argumentsShareOneLimit() throws {
        var limits = LuaLimits.config
        limits.tapeNodes = 1000
        let half = LuaTable(array: Array(repeating: 1, count: 600))
        let state = try LuaState(profile: .config, limits: limits)
        let function = try state.perform { try $0.load(LuaSource("return 1", chunkName: "f")) }
        #expect(throws: LuaError.self) { try state.perform { try $0.call(function, [half.luaValue, half.luaValue]) } }
        #expect(throws: LuaError.self) {
            try state.perform { try $0.call(function, passing: half, half, returning: Int.self) }
        }
        #expect(try state.perform { try $0.call(function, passing: half, returning: Int.self) } == 1)
    }
}
