import LuaBridge
import Testing

/// This project's own `table.sort`: stable, deterministic, and charged against the limits.
@Suite struct LuaSortTests {
    private static let records = """
        local t = {}
        for i = 1, N do t[i] = { k = (i * 7919) % 13, id = i } end
        """

    @Test(arguments: [0, 1, 2, 3, 5, 100, 1000, 4097])
    func sortIsStable(_ count: Int) throws {
        let text =
            Self.records.replacing("N", with: "\(count)") + """

                table.sort(t, function(a, b) return a.k < b.k end)
                for i = 2, #t do
                  local a, b = t[i - 1], t[i]
                  if a.k > b.k or (a.k == b.k and a.id > b.id) then return i end
                end
                return #t
                """
        #expect(try run(text) == [.integer(Int64(count))])
    }

    static let lists: [(list: String, order: String, sorted: String)] = [
        ("3, 1, 2", "", "1 2 3"), ("'b', 'a', 'B', ''", "", " B a b"), ("1.5, 1, -0.0, 0", "", "-0.0 0 1 1.5"),
        ("3, 1, 2", ", function(a, b) return a > b end", "3 2 1"), ("1, 2, 3", ", nil", "1 2 3"),
        // A contradictory comparison gives an arbitrary order, the same each time, without an error.
        ("1, 2, 3, 4, 5", ", function() return true end", "5 4 3 2 1"),
        ("2, 2, 1, 1", ", function(a, b) return a <= b end", "1 1 2 2"),
        ("5, 4, 3", ", function() end", "5 4 3"), ("0/0, 1, 0/0", ", function(a, b) return a < b end", "NAN 1 NAN"),
    ]

    @Test(arguments: lists)
    func listsAreSorted(_ row: (list: String, order: String, sorted: String)) throws {
        let text = """
            local t = { \(row.list) } table.sort(t\(row.order))
            for i, v in ipairs(t) do t[i] = v ~= v and 'NAN' or tostring(v) end
            return table.concat(t, ' ')
            """
        for profile in [LuaProfile.config, .script] { #expect(try run(text, profile: profile) == [.init(row.sorted)]) }
    }

    static let failures = [
        ("table.sort({ 2, nil, 1 })", "cannot sort a list with a hole: it has no element 2"),
        ("table.sort({ 2, 'x' })", "attempt to compare string with number"),
        ("table.sort({ {}, {} })", "attempt to compare two table values"),
        ("table.sort({ 2, 1 }, function() error('no', 0) end)", "no"),
        ("table.sort({ 2, 1 }, {})", "bad argument #2 to 'sort' (function expected, got table)"),
        ("table.sort('x')", "bad argument #1 to 'sort' (table expected, got string)"),
    ]

    @Test(arguments: failures)
    func unsortableListIsReported(_ text: String, _ message: String) {
        #expect(failure(text)?.message == message)
    }

    @Test func errorLeavesListUnchanged() throws {
        let text = """
            local t, n = { 5, 4, 3, 2, 1 }, 0
            local ok = pcall(table.sort, t, function(a, b) n = n + 1 if n == 6 then error('x') end return a < b end)
            return ok, table.concat(t)
            """
        #expect(try run(text) == [false, "54321"])
    }

    @Test func comparisonCannotYield() throws {
        let text = """
            local co = coroutine.create(function() table.sort({ 2, 1 }, coroutine.yield) end)
            return coroutine.resume(co)
            """
        #expect(try run(text, profile: .script) == [false, "attempt to yield across a C-call boundary"])
    }

    @Test func comparisonMayChangeList() throws {
        let text = """
            local t = { 3, 1, 2 }
            table.sort(t, function(a, b) for i = 1, 9 do t[i] = nil end return a < b end)
            return table.concat(t, ' ')
            """
        #expect(try run(text) == ["1 2 3"])
    }

    @Test func sortRespectsMetamethods() throws {
        let text = """
            local back = { 30, 10, 20 }
            local t = setmetatable({ 1, 2, 3 }, { __newindex = function(_, i, v) back[i] = v end })
            table.sort(t, function(a, b) return a > b end)
            local o = setmetatable({ n = 1 }, { __lt = function(a, b) return a.n < b.n end })
            local p = setmetatable({ n = 0 }, { __lt = function(a, b) return a.n < b.n end })
            local l = { o, p } table.sort(l)
            return table.concat(t), l[1] == p
            """
        #expect(try run(text, profile: .script) == ["321", true])
    }

    @Test func comparisonsCountAgainstLimit() throws {
        func instructions(_ count: Int) throws -> Int {
            let state = try LuaState(profile: .config, limits: LuaLimits(cpuTime: .seconds(10), memory: 64 << 20))
            defer { state.close() }
            return try state.perform { lua in
                let text = "local t = {} for i = 1, \(count) do t[i] = (i * 7919) % 100003 end table.sort(t)"
                _ = try lua.evaluate { try lua.call(lua.load(LuaSource(text, chunkName: "t"))) }
                return lua.usage.instructions
            }
        }
        let one = try instructions(20_000)
        let two = try instructions(40_000)
        #expect(one > 20_000 * 10)
        #expect(Double(two) < Double(one) * 2.5)
        #expect(try instructions(20_000) == one)
    }
}
