import GlassBase
import LuaBridge
import Synchronization
import Testing

/// Memory that Swift holds for Lua counts against the limits of a state and is released.
@Suite(.timeLimit(.minutes(2)))
struct LuaAccountTests {
    private static let megabyte = 1024 * 1024

    /// Counts its live instances.
    private final class Keeper: Sendable {
        static let type = LuaObjectType(name: "keeper")
        private let alive: Alive
        init(_ alive: Alive) {
            self.alive = alive
            alive.now.add(1, ordering: .relaxed)
        }
        deinit { alive.now.subtract(1, ordering: .relaxed) }
    }

    private final class Alive: Sendable {
        let now = Atomic(0)
    }

    /// Runs a program in an 8 MB state with `keep(bytes)`, `charge(bytes)`, `giveBack(bytes)` and `make()`.
    private func run(_ text: String) throws -> (error: LuaError?, alive: Int, memory: Int, peak: Int) {
        var limits = LuaLimits.script
        limits.memory = 8 * Self.megabyte
        let state = try LuaState(profile: .script, limits: limits)
        defer { state.close() }
        let alive = Alive()
        return try state.perform { lua in
            let functions: [(String, @Sendable (LuaContext, [LuaValue]) throws -> [LuaValue])] = [
                (
                    "keep",
                    { lua, arguments in
                        let bytes = arguments.first?.integerValue ?? 0
                        return [try lua.object(Keeper(alive), Keeper.type, holding: bytes)]
                    }
                ),
                (
                    "charge",
                    { lua, arguments in
                        try lua.charge(bytes: arguments.first?.integerValue ?? 0)
                        return []
                    }
                ),
                (
                    "giveBack",
                    { lua, arguments in
                        lua.giveBack(bytes: arguments.first?.integerValue ?? 0)
                        return []
                    }
                ),
                ("make", { lua, _ in [try lua.object(Keeper(alive), Keeper.type)] }),
                ("size", { lua, arguments in [.integer(Int64(arguments.count))] }),
                (
                    "write",
                    { lua, arguments in
                        try lua.chargeOutput(bytes: arguments.first?.integerValue ?? 0)
                        return []
                    }
                ),
            ]
            for (name, body) in functions { try lua.setGlobal(name, try lua.function(name, body)) }
            var failure: LuaError?
            do {
                try lua.evaluate { try lua.call(lua.load(LuaSource(text, chunkName: "test.lua"))) }
            } catch let error as LuaError {
                failure = error
            }
            return (failure, alive.now.load(ordering: .relaxed), lua.usage.memory, lua.usage.peakMemory)
        }
    }

    @Test(arguments: [
        "local all = {} for i = 1, 100 do all[i] = keep(1000000) end",
        "while true do charge(100000) end",
        "while true do pcall(charge, 100000) end",
        "charge(9000000)",
        "local all = {} while true do all[#all + 1] = make() end",
    ])
    func memoryHeldBySwiftCountsAgainstLimit(_ text: String) throws {
        let (error, _, _, peak) = try run(text)
        guard case .memoryLimit(let detail) = error else {
            Issue.record("expected the memory limit, got \(String(describing: error))")
            return
        }
        #expect(detail.message == "memory limit exceeded: 8 MB")
        #expect(peak <= 8 * Self.megabyte)
    }

    /// Lua collects garbage to make room and the objects are released at once, not only at the end of the script.
    @Test func collectedObjectsAreReleasedDuringScript() throws {
        let (error, alive, memory, _) = try run("for i = 1, 1000 do local x = keep(1000000) end")
        #expect(error == nil)
        #expect(alive <= 8)
        #expect(memory < 9 * Self.megabyte)
    }

    @Test func smallObjectsAreReleasedDuringScript() throws {
        let (error, alive, _, _) = try run("for i = 1, 200000 do local x = make() end")
        #expect(error == nil)
        #expect(alive < 40_000)
    }

    @Test func releasedMemoryCanBeChargedAgain() throws {
        #expect(try run("for i = 1, 1000 do charge(1000000) giveBack(1000000) end").error == nil)
    }

    @Test func chargeReducesMemoryLeftForLua() throws {
        #expect(try run("local s = ('x'):rep(2000000)").error == nil)
        guard case .memoryLimit? = try run("charge(5000000) local s = ('x'):rep(2000000)").error else {
            Issue.record("Lua used memory that Swift holds")
            return
        }
    }

    /// A call can pass 1 MB of values, which take several times as much in Swift, and calls nest.
    @Test func argumentsCountDuringCall() throws {
        let (error, _, _, peak) = try run(
            "local t = {} for i = 1, 90000 do t[i] = true end for i = 1, 20 do size(t) end")
        #expect(error == nil)
        #expect(peak > 3 * Self.megabyte)
    }

    @Test func hostOutputCountsAgainstLimit() throws {
        guard case .outputLimit? = try run("while true do pcall(write, 1000000) end").error else {
            Issue.record("expected the output limit")
            return
        }
    }

    /// Invisible characters are shown as escapes of several characters.
    @Test(arguments: ["\\1", "\\u{9b}", "\\u{202e}", "\\u{e0041}", "\\xff"])
    func invisibleCharactersCountAsEscaped(character: String) throws {
        #expect(try run("local s = ('x'):rep(100000) for i = 1, 60 do print(s) end").error == nil)
        let error = try run("local s = ('\(character)'):rep(100000) for i = 1, 60 do print(s) end").error
        guard case .outputLimit? = error else {
            Issue.record("expected the output limit, got \(String(describing: error))")
            return
        }
    }

    /// The output size charged for each text.
    private func output(of texts: [[UInt8]]) throws -> [Int] {
        var limits = LuaLimits.script
        limits.outputSize = 1 << 30
        let state = try LuaState(profile: .script, limits: limits, output: { _ in })
        defer { state.close() }
        return try state.perform { lua in
            try lua.evaluate {
                guard case .function(let print) = try lua.global("print") else { return [] }
                return try texts.map { text in
                    let before = lua.usage.output
                    try lua.call(print, [.string(LuaString(bytes: text))])
                    return lua.usage.output - before
                }
            }
        }
    }

    @Test func charactersCountAsShown() throws {
        let texts = stride(from: UInt32(0), through: 0x10FFFF, by: 256).map { start in
            (start..<start + 256).compactMap(Unicode.Scalar.init).reduce(into: "") { $0.unicodeScalars.append($1) }
        }
        let counts = try output(of: texts.map { Array($0.utf8) })
        for (text, count) in zip(texts, counts) {
            #expect(count == DisplayText(lines: text).byteCount + 1, "from \(text.unicodeScalars.first?.escape ?? "")")
        }
    }

    @Test func invalidUTF8CountsAtLeastAsShown() throws {
        // Bytes at which a UTF-8 decoder branches.
        let bytes: [UInt8] = [0x41, 0x80, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xE0, 0xE2, 0xED, 0xF0, 0xF4, 0xF5, 0xFF]
        var texts: [[UInt8]] = [[]]
        for _ in 0..<3 {
            texts = texts.flatMap { text -> [[UInt8]] in bytes.map { text + [$0] } }
        }
        for (text, count) in zip(texts, try output(of: texts)) {
            let shown = DisplayText(lines: String(decoding: text, as: UTF8.self)).byteCount + 1
            #expect(count >= shown && count <= 3 * shown, "\(text)")
        }
    }

    @Test func typeDescriptionIsCreatedOncePerKey() throws {
        let state = try LuaState(profile: .script, limits: .script)
        defer { state.close() }
        state.perform { lua in
            let first = lua.type(for: "a") { LuaObjectType(name: "a") }
            #expect(lua.type(for: "a") { LuaObjectType(name: "other") } === first)
            #expect(lua.type(for: "b") { LuaObjectType(name: "b") } !== first)
        }
    }
}
