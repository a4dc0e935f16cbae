import LuaBridge
import Testing

/// A small generator, so that a failure can be reproduced.
private struct Numbers {
    var seed: UInt64

    mutating func next(_ bound: Int) -> Int {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(seed >> 33) % bound
    }
}

/// How tables and strings cross from Lua to Swift, regardless of how Lua stores them.
@Suite(.timeLimit(.minutes(5)))
struct LuaTapeTests {
    static let lists: [(String, LuaValue)] = [
        ("local t = { 1, 2 } t[4] = 4 t[3] = 3 return t", [1, 2, 3, 4]),
        ("local t = {} for i = 9, 1, -1 do t[i] = i end return t", [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("local t = { x = 'x', y = 'y' } t[2] = 'b' t[1] = 'a' return { t[1], t[2], t.x }", ["a", "b", "x"]),
        ("local t = { 'a' } t.x = 1 t[2] = { 'b' } t[3] = { c = 'c' } t.x = nil return t", ["a", ["b"], ["c": "c"]]),
        (
            "return { n = 1, { 'a', m = 2 } }",
            .table(LuaTable(array: [.table(LuaTable(array: ["a"], fields: [("m", 2)]))], fields: [("n", 1)]))
        ),
        ("local t = { 1, 2, 3 } t[2] = nil return { t[1], t[3] }", [1, 3]), ("return {}", .table(LuaTable())),
        ("local t = { 1, nil, 3 } return t", .table(LuaTable(array: [1], entries: [LuaTable.Field(key: 3, value: 3)]))),
    ]

    @Test(arguments: lists)
    func listsAreRecognizedHoweverLuaStoresThem(_ text: String, _ value: LuaValue) throws {
        #expect(try run(text) == [value])
    }

    /// Table, three elements, a name and its value: six values, even if some are visited twice.
    @Test func listReadTwiceCountsOnce() throws {
        let text = "local t = { 1 } t.x = 4 t[3] = 3 t[2] = 2 return t"
        var limits = LuaLimits.config
        limits.tapeNodes = 6
        #expect(try run(text, limits: limits) == [.table(LuaTable(array: [1, 2, 3], fields: [("x", 4)]))])
        limits.tapeNodes = 5
        guard case .tooLarge = failure(text, limits: limits) else {
            Issue.record("expected too much data")
            return
        }
    }

    @Test func listReadTwiceRetainsNoReferences() throws {
        // The first element is in the array part, the second in the hash part: the functions are visited twice.
        let text = """
            local function make() local t = { function() return 1 end } t.x = {} t[2] = function() return 2 end return t end
            return make
            """
        let state = try LuaState(profile: .config, limits: .config)
        try state.perform { lua in
            let make = try #require(try lua.call(lua.load(LuaSource(text, chunkName: "make")))[0].functionValue)
            func once() throws {
                let table = try #require(try lua.call(make)[0].tableValue)
                #expect(table.array.count == 2 && table["x"] != nil)
                for (index, value) in table.array.enumerated() {
                    #expect(try lua.call(try #require(value.functionValue)) == [.integer(Int64(index) + 1)])
                }
            }
            for _ in 0..<100 { try once() }
            let collect = try lua.load(LuaSource("for i = 1, 100000 do local t = {} end", chunkName: "collect"))
            try lua.call(collect)
            let before = lua.usage.memory
            for _ in 0..<2000 { try once() }
            try lua.call(collect)
            #expect(lua.usage.memory < before + 100_000)
        }
    }

    @Test(arguments: [1, 5, 23, 24, 25, 47, 64, 65, 300])
    func keysAreSortedByBytes(_ count: Int) throws {
        var numbers = Numbers(seed: UInt64(count))
        var names: Set<String> = []
        while names.count < count {
            // Many share their first eight bytes, and some are prefixes of others.
            let length = numbers.next(4)
            let stem = ["", "key", "longprefix", "longprefixlonger"][numbers.next(4)]
            names.insert(stem + String((0...length).map { _ in "abcdefgh".randomElement(using: &numbers) ?? "a" }))
        }
        let value = LuaValue.table(LuaTable(fields: names.enumerated().map { ($1, .integer(Int64($0))) }))
        let back = try run(
            "local t = {} for k, v in pairs(value) do t[k] = v end t[-1] = 0 t[0.5] = 0 t[true] = 0 return t"
        ) {
            _ in ["value": value]
        }
        let table = try #require(back[0].tableValue)
        let sorted = names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        #expect(
            table.fields.map(\.key) == [.integer(-1), .number(0.5)] + sorted.map { LuaValue($0) } + [.boolean(true)])
        for name in names {
            #expect(table[name] == value.tableValue?[name])
            #expect(table[name + "!"] == nil)
        }
        #expect(table[""] == nil)
    }

    @Test func shortStringsAreNeverConfused() throws {
        var numbers = Numbers(seed: 7)
        let strings = (0..<4000).map { _ in
            let bytes = (0..<numbers.next(18)).map { _ in UInt8([0, 97, 98, 0xC3, 0xA9, 0xFF][numbers.next(6)]) }
            return LuaValue.string(LuaString(bytes: bytes))
        }
        let state = try LuaState(profile: .config, limits: .config)
        try state.perform { lua in
            let echo = try lua.load(LuaSource("return ...", chunkName: "echo"))
            #expect(try lua.call(echo, [.table(LuaTable(array: strings))]) == [.table(LuaTable(array: strings))])
            #expect(try lua.call(echo, Array(strings.prefix(200))) == Array(strings.prefix(200)))
        }
    }
}

extension Numbers: RandomNumberGenerator {
    mutating func next() -> UInt64 {
        UInt64(next(1 << 30)) << 34 ^ UInt64(next(1 << 30)) << 12 ^ UInt64(next(1 << 30))
    }
}
