@testable import LuaBridge
import Testing

/// Fails each single allocation of a representative run, either once or from then on.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LuaOutOfMemoryTests {
    private struct Market: Decodable {
        var id: String
        var list: [Int]
        var nested: [String: String]
    }

    private static let text = """
        kept = false
        local t = { id = "ca", list = { 1, 2, 3 }, nested = { a = "b" .. tostring(twice(21)), c = ("x"):rep(100) } }
        for i = 1, 20 do t.list[#t.list + 1] = i end
        local ok, message = pcall(refuse)
        t.nested.message = message
        t.nested.text = account:text(t)
        local c = coroutine.wrap(function(x) coroutine.yield(x) error({}) end)
        c(1) pcall(c)
        local driven = coroutine.create(function(x) local y <close> = x error(coroutine.yield({})) end)
        coroutine.resume(echo(driven), setmetatable({}, { __close = function() end }))
        t.nested.status = select(2, coroutine.resume(driven, "raised")) .. coroutine.status(driven)
        coroutine.close(driven)
        t.nested.joined = table.concat(t.list, ",")
        for key, value in pairs(t.nested) do t.nested[key] = value:upper():gsub("A", "%0%0") end
        local x <close> = setmetatable({}, { __close = function() kept = function() return t end end })
        return t, kept
        """

    /// Opens, loads, calls both ways, raises, decodes, passes a coroutine out and in, and closes. Returns whether all
    /// of it succeeded.
    private static func run(_ fault: AllocationFault, _ counter: Counter) -> Bool {
        let type = LuaObjectType(
            name: "Account",
            methods: ["text": { _, _, arguments in [LuaValue("\(arguments.count)")] }],
            properties: ["owner": { _, _ in "Ann" }])
        do {
            let state = try LuaState(
                profile: .script, limits: .script, output: { _ in }, moduleLoader: { _ in nil }, fault: fault)
            defer { state.close() }
            let work: @Sendable (LuaContext) throws -> Void = { lua in
                let counted = Counted(counter)
                let twice = try lua.bind("twice") { (value: Int) in
                    withExtendedLifetime(counted) { value * 2 }
                }
                try lua.setGlobal("twice", twice)
                try lua.setGlobal("echo", try lua.function("echo") { _, arguments in arguments })
                try lua.setGlobal("refuse", try lua.function("refuse") { _, _ in throw Refused() })
                try lua.setGlobal("account", try lua.object(Counted(counter), type))
                let values = try lua.evaluate {
                    try lua.call(lua.load(LuaSource(Self.text, chunkName: "oom.lua")), ["some text", ["a": 1]])
                }
                _ = try LuaDecoder().decode(Market.self, from: values[0])
            }
            let first = Result { try state.perform(work) }
            // Whatever happened, the state must respond: with the right value, or with another error.
            let probe = try? state.perform { lua in
                try lua.call(lua.load(LuaSource("return 6 * 7", chunkName: "probe.lua")))
            }
            if let probe, probe != [42] { Issue.record("a state gave \(probe) after a failed allocation") }
            if case .failure(let error) = first {
                if !(error is LuaError) { Issue.record("not an error of the library: \(error)") }
                return false
            }
            return true
        } catch {
            return false
        }
    }

    @Test(arguments: [false, true])
    func everyAllocationMayFail(_ forGood: Bool) async throws {
        try await onOwnThread { Self.failEveryAllocation(forGood) }
    }

    private static func failEveryAllocation(_ forGood: Bool) {
        let counter = Counter()
        let whole = AllocationFault(at: 0, forGood: false)
        #expect(run(whole, counter))
        #expect(counter.value == 0)
        #expect(whole.seen > 300)
        var failures = 0
        for number in 1...whole.seen {
            if !run(AllocationFault(at: number, forGood: forGood), counter) { failures += 1 }
            #expect(counter.value == 0, "an object outlived its state when allocation \(number) failed")
        }
        // Only a failure that Lua can compensate for by collecting garbage goes unnoticed.
        #expect(failures > (forGood ? whole.seen * 9 / 10 : 0))
    }
}
