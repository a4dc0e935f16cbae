import CLua
import LuaBridge
import Testing

/// The pattern functions compared with the system's library: same results, same errors, on generated patterns.
@Suite(.timeLimit(.minutes(2)))
struct LuaPatternDifferentialTests {
    /// A generator that produces the same numbers for the same seed.
    private struct Generator {
        var state: UInt64

        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }

        mutating func pick<T>(_ choices: [T]) -> T { choices[next(choices.count)] }

        mutating func pattern() -> String {
            let items = [
                "a", "b", "c", "1", " ", ".", "%a", "%d", "%s", "%w", "%A", "%p", "%x", "%z", "%.", "%%", "[abc]",
                "[^a]",
                "[a-c]", "[%d%s]", "[]]", "[^%w]", "[a-]", "%b()", "%bab", "%f[%w]", "%f[^a]", "(", ")", "()", "%1",
                "%2", "$", "^", "-", "%", "[", "[a", "%f", "%b", "%bx",
            ]
            var text = next(6) == 0 ? "^" : ""
            // Long runs of one item, up to the point where the system's matcher reports that a pattern is too complex,
            // and beyond. They match or fail immediately, because that matcher does not count its steps.
            if next(50) == 0 {
                let item = pick(["a", "b", ".", "[^a]"]) + pick(["*", "-", ""])
                return text + String(repeating: item, count: 190 + next(30))
            }
            for _ in 0...next(6) {
                text += pick(Array(items.prefix(next(12) == 0 ? items.count : items.count - 8)))
                if next(3) == 0 { text += pick(["*", "+", "-", "?"]) }
            }
            return next(8) == 0 ? text + "$" : text
        }

        mutating func subject() -> String {
            var text = ""
            for _ in 0..<next(24) { text += pick(["a", "b", "c", "1", " ", "(", ")", "x", ".", "]", "é", "-", "A"]) }
            return text
        }
    }

    /// Calls all four functions and reports every detail of their results.
    private static let program = #"""
        local s, p, init, repl = ...
        local out = {}
        local function note(name, ok, ...)
            local t = { name, tostring(ok) }
            for i = 1, select('#', ...) do
                local v = (select(i, ...))
                -- The position in front of a message is that of the driver.
                t[#t + 1] = type(v) .. ' ' .. (type(v) == 'string' and (v:gsub('^[%w%p]-:%d+: ', '')) or tostring(v))
            end
            out[#out + 1] = table.concat(t, '|')
        end
        note('find', pcall(string.find, s, p, init))
        note('plain', pcall(string.find, s, p, init, true))
        note('match', pcall(string.match, s, p, init))
        note('gsub', pcall(string.gsub, s, p, repl))
        note('table', pcall(string.gsub, s, p, { a = 'A', ['1'] = false }))
        note('gsub2', pcall(string.gsub, s, p, function(...) return select('#', ...) > 1 and '#' or nil end, 2))
        note('gmatch', pcall(function()
            local t = {}
            for a, b, c in string.gmatch(s, p) do
                t[#t + 1] = tostring(a) .. tostring(b) .. tostring(c)
                if #t > 100 then break end
            end
            return table.concat(t, ',')
        end))
        return table.concat(out, '\n')
        """#

    /// The system's library, unguarded.
    private final class System {
        private let state: OpaquePointer

        init?() {
            guard let state = luaL_newstate() else { return nil }
            self.state = state
            luaL_openlibs(state)
            let program = LuaPatternDifferentialTests.program
            guard luaL_loadbufferx(state, program, program.utf8.count, "=driver", "t") == LUA_OK else { return nil }
        }

        deinit { lua_close(state) }

        func run(_ arguments: [String], _ start: Int) -> LuaString {
            lua_settop(state, 1)
            lua_pushvalue(state, 1)
            for (index, argument) in arguments.enumerated() {
                if index == 2 { lua_pushinteger(state, lua_Integer(start)) }
                _ = argument.withCString { lua_pushstring(state, $0) }
            }
            let status = lua_pcallk(state, 4, 1, 0, 0, nil)
            var count = 0
            guard status == LUA_OK, let text = lua_tolstring(state, -1, &count) else {
                return LuaString("status \(status)")
            }
            return LuaString(bytes: Array(UnsafeRawBufferPointer(start: text, count: count)))
        }
    }

    @Test(arguments: [UInt64(20_261_121), UInt64.random(in: 0 ... .max)])
    func generatedPatternsMatchLikeSystemLibrary(_ seed: UInt64) async throws {
        print("pattern seed: \(seed)")
        let pairs = 20_000
        let state = try LuaState(profile: .config, limits: .script)
        let differences = try await state.enqueue { lua -> [String] in
            guard let system = System() else { return ["the system's library gave no state"] }
            var generator = Generator(state: seed)
            let program = try lua.load(LuaSource(Self.program, chunkName: "driver"))
            var differences: [String] = []
            for _ in 0..<pairs where differences.count < 5 {
                let (subject, pattern) = (generator.subject(), generator.pattern())
                let start = generator.next(12) - 4
                let replacement = generator.pick(["x", "<%0>", "%1", "%%", "%2", "", "%"])
                let ours = try lua.call(
                    program, passing: subject, pattern, start, replacement, returning: LuaString.self)
                let theirs = system.run([subject, pattern, replacement], start)
                if ours != theirs {
                    differences.append("seed \(seed), '\(subject)' '\(pattern)' \(start):\n\(ours)\n\(theirs)")
                }
            }
            return differences
        }
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n\n"))")
    }
}
