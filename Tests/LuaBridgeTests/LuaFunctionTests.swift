import LuaBridge
import Testing

struct Refused: Error, CustomStringConvertible {
    var description: String { "no such thing" }
}

@Suite(.timeLimit(.minutes(5)))
struct LuaFunctionTests {
    @Test func luaCallsSwift() throws {
        let results = try run("return add(1, 2), add(3, 4)") { lua in
            [
                "add": try lua.function("add") { _, arguments in
                    [.integer(Int64((arguments[0].integerValue ?? 0) + (arguments[1].integerValue ?? 0)))]
                }
            ]
        }
        #expect(results == [3, 7])
    }

    @Test func swiftErrorHasCallingLine() throws {
        let error = failure("local x = 1\n\nrefuse()\n") { lua in
            ["refuse": try lua.function("refuse") { _, _ in throw Refused() }]
        }
        guard case .runtime(let detail) = error else {
            Issue.record("expected a runtime error, got \(String(describing: error))")
            return
        }
        #expect(detail.message == "no such thing")
        #expect(detail.position == LuaPosition(chunk: "test.lua", line: 3))
        #expect(detail.traceback.last?.kind == .main)
    }

    @Test func luaCatchesSwiftErrorAsText() throws {
        let results = try run("return pcall(refuse)") { lua in
            ["refuse": try lua.function("refuse") { _, _ in throw Refused() }]
        }
        #expect(results == [false, "test.lua:1: no such thing"])
        let inside = try run("return pcall(function() refuse() end)") { lua in
            ["refuse": try lua.function("refuse") { _, _ in throw Refused() }]
        }
        #expect(inside == [false, "test.lua:1: no such thing"])
    }

    @Test func callsNestThroughBothLanguages() throws {
        let results = try run(
            """
            local function down(n) if n == 0 then return 0 end return 1 + again(down, n - 1) end
            return down(10)
            """
        ) { lua in
            [
                "again": try lua.function("again") { lua, arguments in
                    guard let function = arguments[0].functionValue else { return [] }
                    return try lua.call(function, [arguments[1]])
                }
            ]
        }
        #expect(results == [10])
    }

    @Test func endlessNestingAcrossLanguagesIsAnError() throws {
        let error = failure("local function down() return again(down) end return down()") { lua in
            [
                "again": try lua.function("again") { lua, arguments in
                    guard let function = arguments[0].functionValue else { return [] }
                    return try lua.call(function, arguments)
                }
            ]
        }
        #expect(error != nil)
    }

    @Test func luaErrorKeepsPositionThroughSwift() throws {
        let error = failure("include()") { lua in
            [
                "include": try lua.function("include") { lua, _ in
                    [.function(try lua.load(LuaSource("x = 1\nreturn = 2", chunkName: "other.lua")))]
                }
            ]
        }
        guard case .syntax(let detail) = error else {
            Issue.record("expected a syntax error, got \(String(describing: error))")
            return
        }
        #expect(detail.position == LuaPosition(chunk: "other.lua", line: 2, column: 8))
    }

    @Test func functionSeesCallersLine() throws {
        let lines = Lines()
        _ = try run("\nwhere()\n\n  where()", chunk: "markets/ca.lua") { lua in
            [
                "where": try lua.function("where") { lua, _ in
                    lines.add(lua.callerPosition?.description ?? "nowhere")
                    return []
                }
            ]
        }
        #expect(lines.all == ["markets/ca.lua:2", "markets/ca.lua:4"])
    }

    @Test func swiftClosuresAreReleasedWithTheState() throws {
        let counter = Counter()
        let state = try LuaState(profile: .config, limits: .config)
        try state.perform { lua in
            let counted = Counted(counter)
            try lua.setGlobal("f", try lua.function("f") { _, _ in [.boolean(counted === counted)] })
        }
        #expect(counter.value == 1)
        state.close()
        #expect(counter.value == 0)
    }

    @Test func swiftClosuresAreReleasedWhenCollected() throws {
        let counter = Counter()
        let state = try LuaState(profile: .config, limits: .config)
        try state.perform { lua in
            for _ in 0..<100 {
                let counted = Counted(counter)
                try lua.setGlobal("f", try lua.function("f") { _, _ in [.boolean(counted === counted)] })
            }
            try lua.setGlobal("f", .nil)
            try lua.call(lua.load(LuaSource("for i = 1, 200000 do local t = {} end", chunkName: "garbage")))
        }
        #expect(counter.value < 10)
        state.close()
        #expect(counter.value == 0)
    }

    @Test func coroutineMayCallSwiftThatCallsLua() throws {
        let results = try run(
            """
            local c = coroutine.wrap(function(x) local y = again(function(v) return v * 2 end, x) coroutine.yield(y) return 'end' end)
            return c(21), c()
            """, profile: .script
        ) { lua in
            [
                "again": try lua.function("again") { lua, arguments in
                    guard let function = arguments[0].functionValue else { return [] }
                    return try lua.call(function, [arguments[1]])
                }
            ]
        }
        #expect(results == [42, "end"])
    }
}
