import Benchmark
import CFloor
import LuaBridge
import Support

/// A C state, kept for the whole run; benchmarks run one after the other.
private final class Floor: @unchecked Sendable {
    // Only one benchmark runs at a time.
    let state = floor_open(0)
}

let benchmarks: @Sendable () -> Void = {
    do {
        try defineBenchmarks()
    } catch {
        preconditionFailure("the benchmarks cannot be set up: \(error)")
    }
}

private func defineBenchmarks() throws {
    let floor = Floor()
    floor_define(floor.state, Configuration.source)
    let state = try LuaState(profile: .config, limits: .script)
    let (sum, add, calling, give) = try state.perform { lua in
        func load(_ text: String) throws -> LuaFunction { try lua.load(LuaSource(text, chunkName: "bench.lua")) }
        func made(_ text: String, _ arguments: [LuaValue] = []) throws -> LuaFunction {
            guard let function = try lua.call(load(text), arguments)[0].functionValue else {
                preconditionFailure("the chunk gave no function: \(text)")
            }
            return function
        }
        let table = try lua.call(load(Configuration.source))[0]
        return (
            try made("return function(a, b) return a + b end"),
            try lua.bind("add") { (a: Int, b: Int) in a &+ b },
            try load("local f, n = ... local s = 0 for i = 1, n do s = f(s, i) end return s"),
            try made("local t = ... return function() return t end", [table])
        )
    }

    // Its calls run at once there, without the way to another thread and back.
    let owner: Place = { measure in try state.perform { _ in try measure() } }
    work("lua-call", batch: 1_000, in: owner) {
        blackHole(floor_call_lua(floor.state, Int64($0)))
    } ours: { count in
        try state.perform { lua in
            var result = 0
            for index in 0..<count { result = try lua.call(sum, passing: result, index, returning: Int.self) }
            blackHole(result)
        }
    }
    work("lua-host", batch: 1_000, in: owner) {
        blackHole(floor_call_host(floor.state, Int64($0)))
    } ours: { count in
        try state.perform { lua in _ = try lua.call(calling, [add, .integer(Int64(count))]) }
    }
    work("lua-decode", batch: 10, in: owner) {
        blackHole(floor_walk_table(floor.state, Int64($0)))
    } ours: { count in
        try state.perform { lua in
            for _ in 0..<count { blackHole(try LuaDecoder().decode(Configuration.self, from: lua.call(give)[0])) }
        }
    }
    let bytes = Array(Market.source.utf8)
    work("lua-market", batch: 1) { count in
        bytes.withUnsafeBytes { buffer in
            blackHole(
                floor_market(
                    buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int64(buffer.count), Int64(count), 0))
        }
    } ours: { count in
        for _ in 0..<count {
            let state = try LuaState(profile: .config, limits: .config)
            let value = try state.perform { lua in
                try lua.evaluate { try lua.call(lua.load(LuaSource(bytes: bytes, chunkName: "market.lua")))[0] }
            }
            blackHole(value)
            state.close()
        }
    }
}
