import Testing

@testable import LuaBridge

/// The verdict on a Lua release. A bug counts as guarded only if a program here reaches the guard.
@Suite(.timeLimit(.minutes(1)))
struct LuaReleaseTests {
    @Test func releaseHasVerdict() {
        #expect(LuaRelease.current.patch >= 0)
        #expect(LuaRelease(patch: 4).description == "Lua 5.4.4: 10 known errors, 7 of them guarded")
        #expect(LuaRelease(patch: 8).description == "Lua 5.4.8: no known errors")
        #expect(LuaRelease(patch: 7).knownBugs.contains { $0.guardedBy == nil })
    }

    /// A program that would trigger a bug, and the evidence that it met the guard instead.
    struct Probe: Sendable, CustomTestStringConvertible {
        let guardedBy: String
        let reachesGuard: @Sendable () throws -> Bool

        var testDescription: String { guardedBy }

        init(_ guardedBy: String, reachesGuard: @escaping @Sendable () throws -> Bool) {
            self.guardedBy = guardedBy
            self.reachesGuard = reachesGuard
        }
    }

    private static func isDenied(_ text: String, _ name: String) -> Bool {
        if case .denied(name, _) = failure(text, profile: .script) { true } else { false }
    }

    /// Whether `setmetatable` rejects a metamethod, and the metamethod has no effect when added to the table later.
    private static func isWithout(_ metamethod: String, late: String) throws -> Bool {
        let text = "local mt = {} local t = setmetatable({}, mt) mt.\(metamethod) = \(late)"
        guard isDenied("setmetatable({}, { \(metamethod) = \(late) })", metamethod) else { return false }
        switch metamethod {
        case "__concat":
            let values = try run(text + " return pcall(function() return 'a' .. t end)", profile: .script)
            return values.first == false
        default:
            let values = try run(
                text + " t[{}] = 1 for i = 1, 20000 do local waste = {} end return next(t) ~= nil", profile: .script)
            return values == [true]
        }
    }

    static let probes = [
        Probe("a metatable never has __concat") { try isWithout("__concat", late: "function() return 'x' end") },
        Probe("a metatable never has __mode") { try isWithout("__mode", late: "'k'") },
        Probe("coroutine.close nests at most 16 deep") {
            let values = try run(
                """
                local deepest = 0
                local function nest(depth)
                  local co = coroutine.create(function()
                    local x <close> = setmetatable({}, { __close = function() nest(depth + 1) end })
                    coroutine.yield()
                  end)
                  coroutine.resume(co)
                  deepest = depth
                  local ok, message = coroutine.close(co)
                  if not ok then error(message, 0) end
                end
                local ok, message = pcall(nest, 1)
                return deepest, message:match("too many coroutines are closed inside each other")
                """, profile: .script)
            return values == [17, "too many coroutines are closed inside each other"]
        },
        Probe("chunks are text, never bytecode") {
            guard isDenied("return load('\\27Lua' .. ('x'):rep(40))", "load") else { return false }
            if case .syntax = failure("\u{1B}LuaT\u{0}") { return true }
            return false
        },
        Probe("chunks with more than 1,000 names in one expression are rejected") {
            let chain = "local a = {} a.b = a return a" + String(repeating: ".b", count: 1200) + ".c.d"
            guard case .tooManyNames = failure(chain) else { return false }
            let loaded = try run("return load(\(#"[[\#(chain)]]"#))", profile: .script)
            return loaded.first == .nil
        },
        Probe("the library creates its own tracebacks") {
            guard isDenied("return debug.traceback()", "debug") else { return false }
            // Deep in the stack, where the system's traceback would need slots that it did not reserve.
            let deep = "local function f(n) if n == 0 then error('x') end return 1 + f(n - 1) end return f(1000)"
            guard let error = failure(deep) else { return false }
            return error.traceback.count > 1 && error.detail.skippedFrames > 900
        },
        Probe("the size of a chunk is limited") {
            var limits = LuaLimits.script
            limits.sourceSize = 10_000
            let constructor = "return {" + String(repeating: "0,", count: 6000) + "}"
            guard case .sourceTooLarge = failure(constructor, profile: .script, limits: limits) else { return false }
            let loaded = try run(
                "return load('return {' .. ('0,'):rep(6000) .. '}')", profile: .script, limits: limits)
            return loaded.first == .nil
        },
    ]

    @Test func everyClaimedGuardHasProbeAndViceVersa() {
        let claimed = LuaRelease(patch: 0).knownBugs.compactMap(\.guardedBy)
        #expect(claimed.sorted() == Self.probes.map(\.guardedBy).sorted())
    }

    @Test(arguments: probes) func programReachesGuard(_ probe: Probe) throws {
        #expect(try probe.reachesGuard())
    }
}
