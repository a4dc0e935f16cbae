import LuaBridge
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LuaValueTests {
    static let scalars: [(String, LuaValue)] = [
        ("nil", .nil), ("true", true), ("false", false), ("0", 0), ("42", 42), ("3.0", .number(3)), ("1.5", 1.5),
        ("-0.0", .number(-0.0)), ("math.mininteger", .integer(.min)), ("math.maxinteger", .integer(.max)),
        ("'text'", "text"), ("''", ""), ("'caf\\u{e9}'", "café"), ("'\\xff'", .string(LuaString(bytes: [0xff]))),
        ("'a\\0b'", .string(LuaString(bytes: [97, 0, 98]))), ("{}", .table(LuaTable())), ("{1, 2, 3}", [1, 2, 3]),
        ("{a = 1}", ["a": 1]), ("{1, nil}", [1]),
    ]

    @Test(arguments: scalars)
    func valuesAreReadFromLua(_ text: String, _ value: LuaValue) throws {
        #expect(try run("return \(text)") == [value])
    }

    @Test(arguments: scalars.map(\.1))
    func valuesRoundTripThroughLua(_ value: LuaValue) throws {
        let state = try LuaState(profile: .config, limits: .config)
        let results = try state.perform { lua in
            try lua.call(lua.load(LuaSource("return ...", chunkName: "echo")), [value, 7])
        }
        #expect(results == [value, 7])
    }

    @Test func integersAndFloatsStayDistinct() throws {
        let results = try run("return 3, 3.0, 2^53, math.type(x), math.type(y)") { _ in ["x": 3, "y": .number(3)] }
        #expect(results == [.integer(3), .number(3), .number(9_007_199_254_740_992), "integer", "float"])
    }

    @Test func tableKeepsListAndFieldsInOrder() throws {
        let results = try run(
            "return { 10, 20, b = 2, a = 1, [true] = 't', [7] = 'seven', [0.5] = 'half', [-1] = 'm' }")
        let table = try #require(results.first?.tableValue)
        #expect(table.array == [10, 20])
        #expect(table.fields.map(\.key) == [.integer(-1), .number(0.5), .integer(7), "a", "b", true])
        #expect(table["a"] == 1)
        #expect(table[7] == "seven")
        #expect(table[2] == 20)
        #expect(table[.boolean(true)] == "t")
        #expect(table["missing"] == nil)
        #expect(table.entries.count == 8 && table.count == 8)
    }

    @Test func fieldOfLargeTableIsFoundByName() {
        let table = LuaTable(fields: (0..<100).map { ("key\($0)", LuaValue.integer(Int64($0))) })
        #expect(table["key73"] == 73)
        #expect(table["key100"] == nil)
    }

    @Test func listElementsStoredInTheHashPartAreAList() throws {
        #expect(try run("local t = {} t[3] = 'c' t[2] = 'b' t[1] = 'a' return t") == [["a", "b", "c"]])
    }

    @Test func tablesCompareRegardlessOfOrder() {
        #expect(LuaTable(fields: [("a", 1), ("b", 2)]) == LuaTable(fields: [("b", 2), ("a", 1)]))
        #expect(LuaTable(fields: [("a", 1)]) != LuaTable(fields: [("a", 2)]))
    }

    @Test func stringsCompareByBytes() {
        #expect(LuaString("\u{e9}") != LuaString("e\u{301}"))
        #expect(LuaString("é") == LuaString(bytes: [0xc3, 0xa9]))
        #expect(LuaString(bytes: [0xff]).text == nil)
    }

    @Test func functionsAreReferencesWithIdentity() throws {
        let state = try LuaState(profile: .config, limits: .config)
        try state.perform { lua in
            let results = try lua.call(
                lua.load(LuaSource("local function f() return 5 end return f, f, function() end", chunkName: "f")))
            #expect(results[0] == results[1])
            #expect(results[0] != results[2])
            let function = try #require(results[0].functionValue)
            #expect(try lua.call(function) == [5])
            let same = try lua.call(
                lua.load(LuaSource("local a, b = ... return a == b", chunkName: "f")), [results[0], results[1]])
            #expect(same == [true])
        }
    }

    static let unflattenable: [(String, String)] = [
        ("local t = { a = {} } t.a.b = t return t", "a.b: result: the table contains itself"),
        ("local t = 1 for i = 1, 100 do t = { t } end return { deep = t }", "deep"),
        ("return { m = { [{}] = 1 } }", "m[table]: result: a key must be a string, a number or a boolean"),
        ("return { s = ('x'):rep(2000000) }", "s: result: there is too much data"),
        ("local s = {} for i = 1, 30 do s = { s, s } end return s", "[1]"),
    ]

    @Test(arguments: unflattenable)
    func conversionErrorNamesKeyPath(_ text: String, _ expected: String) throws {
        let error = try #require(failure(text))
        #expect("\(error)".hasPrefix(expected))
    }

    @Test func sharedTableIsNotACycle() throws {
        #expect(try run("local s = { 1 } return { a = s, b = s }") == [["a": [1], "b": [1]]])
    }

    @Test func metatablesAreIgnoredWhenReading() throws {
        let results = try run(
            "return setmetatable({ 1 }, { __index = function() while true do end end })", profile: .script)
        #expect(results == [[1]])
    }

    @Test func coroutinesAreReferences() throws {
        #expect(try run("return coroutine.create(function() end)", profile: .script).first?.coroutineValue != nil)
    }

    @Test(arguments: [(LuaValue.number(.nan), "NaN"), (.nil, "nil"), (.table(LuaTable(array: [])), "table")])
    func invalidKeyIsReported(_ key: LuaValue, _ shown: String) throws {
        let state = try LuaState(profile: .config, limits: .config)
        defer { state.close() }
        let table = LuaValue.table(LuaTable(array: [], entries: [LuaTable.Field(key: key, value: 1)]))
        let error = #expect(throws: LuaError.self) { try state.perform { lua in try lua.setGlobal("x", table) } }
        #expect(error?.message == "a key must be a string, a number or a boolean, not \(shown)")
    }
}
