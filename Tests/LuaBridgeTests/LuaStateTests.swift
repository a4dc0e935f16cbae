import LuaBridge
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LuaStateTests {
    @Test func guideExampleRuns() throws {
        let state = try LuaState(profile: .config, limits: .config)
        let answer = try state.perform { lua in
            let chunk = try lua.load(LuaSource("return 6 * 7", chunkName: "answer.lua"))
            return try lua.call(chunk)
        }
        #expect(answer == [.integer(42)])
    }

    @Test func catalogExampleRuns() throws {
        struct Market: Decodable {
            var id: String
            var currency: String
        }
        let state = try LuaState(profile: .config, limits: .config, output: { print($0) })
        let value = try state.perform { lua in
            try lua.setGlobal("base", "CAD")
            return try lua.evaluate {
                let text = "return { id = 'ca', currency = base }"
                let chunk = try lua.load(LuaSource(text, chunkName: "markets/ca.lua"))
                return try lua.call(chunk).first ?? .nil
            }
        }
        let market = try LuaDecoder().decode(Market.self, from: value)
        #expect(market.id == "ca" && market.currency == "CAD")
    }

    @Test func workFromManyThreadsIsSerialized() async throws {
        let state = try LuaState(profile: .config, limits: .config)
        try state.perform { lua in
            try lua.call(
                lua.load(LuaSource("count = 0 function tick() count = count + 1 return count end", chunkName: "t")))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<100 {
                        try state.perform { lua in
                            guard let tick = try lua.global("tick").functionValue else { return }
                            try lua.call(tick)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try state.perform { try $0.global("count") } == 800)
    }

    @Test func performNestsOnOwnThread() throws {
        let state = try LuaState(profile: .config, limits: .config)
        let result = try state.perform { outer in
            try outer.setGlobal("x", 5)
            return try state.perform { try $0.global("x") }
        }
        #expect(result == 5)
    }

    @Test func performRethrowsErrors() throws {
        let state = try LuaState(profile: .config, limits: .config)
        #expect(throws: Refused.self) { try state.perform { _ in throw Refused() } }
        let three = state.perform { _ in 3 }
        #expect(three == 3)
    }

    @Test func globalsAreReadAndSet() throws {
        let state = try LuaState(profile: .config, limits: .config)
        try state.perform { lua in
            try lua.setGlobal("markets", ["ca", "us"])
            #expect(try lua.global("markets") == ["ca", "us"])
            #expect(try lua.global("missing") == .nil)
        }
    }

    @Test func referencesMayBeReleasedOnAnyThread() async throws {
        let state = try LuaState(profile: .config, limits: .config)
        for _ in 0..<20 {
            let functions = try state.perform { lua in
                let make = try lua.load(LuaSource("return function() end, {}, function() end", chunkName: "f"))
                return try lua.call(make)
            }
            await Task.detached { withExtendedLifetime(functions) {} }.value
        }
        let memory = state.perform { $0.usage.memory }
        for _ in 0..<2000 {
            _ = try state.perform { lua in try lua.call(lua.load(LuaSource("return function() end", chunkName: "f"))) }
        }
        _ = try state.perform {
            try $0.call($0.load(LuaSource("for i = 1, 100000 do local t = {} end", chunkName: "gc")))
        }
        let after = state.perform { $0.usage.memory }
        #expect(after < memory * 3 + 65536)
    }

    @Test func referencesOutliveTheState() throws {
        var function: LuaFunction?
        do {
            let state = try LuaState(profile: .config, limits: .config)
            function = try state.perform { try $0.load(LuaSource("return 1", chunkName: "f")) }
            state.close()
        }
        #expect(function != nil)
        function = nil
    }

    @Test func closingTwiceIsAllowed() throws {
        let state = try LuaState(profile: .script, limits: .script)
        state.close()
        state.close()
    }

    @Test func stateMayBeReleasedOnItsOwnThread() throws {
        let counter = Counter()
        do {
            let state = try LuaState(profile: .config, limits: .config)
            try state.perform { lua in
                let counted = Counted(counter)
                try lua.setGlobal("f", try lua.function("f") { _, _ in [.boolean(counted === counted)] })
                state.close()
                #expect(try lua.call(lua.load(LuaSource("return 2", chunkName: "f"))) == [2])
            }
            state.close()
        }
        #expect(counter.value == 0)
    }

    @Test func insufficientMemoryIsAnError() {
        #expect(throws: LuaError.self) {
            try LuaState(profile: .config, limits: LuaLimits(cpuTime: .seconds(1), memory: 2000))
        }
        #expect(throws: LuaError.self) {
            try LuaState(profile: .script, limits: LuaLimits(cpuTime: .seconds(1), memory: 9000))
        }
    }

    @Test func postedWorkDoesNotBlock() async throws {
        let state = try LuaState(profile: .config, limits: .config)
        #expect(try await state.enqueue { try $0.call($0.load(LuaSource("return 1", chunkName: "x"))) } == [1])
        await #expect(throws: Refused.self) { try await state.enqueue { _ in throw Refused() } }
    }
}
