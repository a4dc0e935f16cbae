import LuaBridge
import Testing

private struct Money: LuaRepresentable, LuaInitializable {
    var cents: Int

    init(cents: Int) { self.cents = cents }

    init(from reader: inout LuaValueReader) throws(LuaError) {
        let value = try reader.next()
        guard let cents = value.tableValue?["cents"]?.integerValue else {
            throw reader.mismatch(expected: "money", got: value)
        }
        self.cents = cents
    }

    var luaValue: LuaValue { ["cents": .integer(Int64(cents))] }
}

@Suite(.timeLimit(.minutes(5)))
struct LuaTypedTests {
    private func results(_ text: String) throws -> [LuaValue] {
        try run(text) { lua in
            [
                "add": try lua.bind("add") { (a: Int, b: Int) in a + b },
                "greet": try lua.bind("greet") { (name: String, polite: Bool?) in
                    (polite ?? false) ? "Dear \(name)" : "Hi \(name)"
                },
                "half": try lua.bind("half") { (value: Double) in value / 2 },
                "byte": try lua.bind("byte") { (value: UInt8) in value },
                "count": try lua.bind("count") { (first: LuaValue, rest: LuaVariadic) in rest.values.count },
                "spread": try lua.bind("spread") { (table: LuaTable) in LuaVariadic(table.array) },
                "tax": try lua.bind("tax") { (money: Money) in Money(cents: money.cents / 10) },
                "nothing": try lua.bind("nothing") { (_: LuaValue) -> Void in },
                "names": try lua.bind("names") { (name: String) in [name, name] },
                "map": try lua.bind("map") { (name: String) in [name: 1] },
                "bytes": try lua.bind("bytes") { (text: LuaString) in text.count },
                "maybe": try lua.bind("maybe") { (value: Int?) in value },
                "no": try lua.bind("no") { (value: Bool) in !value },
                "total": try lua.bind("total") { (list: [Int], scale: Int?) in list.reduce(0, +) * (scale ?? 1) },
                "grid": try lua.bind("grid") { (rows: [[Double?]]) in rows.map(\.count) },
                "keys": try lua.bind("keys") { (map: [String: Int]) in map.keys.sorted() },
            ]
        }
    }

    static let calls: [(String, [LuaValue])] = [
        ("add(1, 2)", [3]), ("add(1, 2.0)", [3]), ("add(1, 2, 'more')", [3]), ("greet('Ann')", ["Hi Ann"]),
        ("greet('Ann', true)", ["Dear Ann"]), ("half(3)", [1.5]), ("half(0.5)", [0.25]), ("byte(255)", [255]),
        ("count(1, 2, nil, 3)", [3]), ("count(1)", [0]), ("spread({1, 'a'})", [1, "a"]), ("spread({})", []),
        ("tax({ cents = 250 })", [["cents": 25]]), ("nothing(1)", []), ("names('x')", [["x", "x"]]),
        ("map('x')", [["x": 1]]), ("bytes('\\xff\\0')", [2]), ("maybe(nil)", [.nil]), ("maybe(7)", [7]),
        ("no(true)", [false]), ("total({ 1, 2, 3 }, 10)", [60]), ("total({})", [0]),
        ("grid({ { 1, 2 }, {} })", [[2, 0]]),
        ("keys({ b = 1, a = 2 })", [["a", "b"]]), ("keys({})", [[]]),
    ]

    @Test(arguments: calls)
    func typedFunctionsReturnValues(_ call: String, _ values: [LuaValue]) throws {
        #expect(try results("return " + call) == values)
    }

    static let wrong: [(String, String)] = [
        ("add(1, 'x')", "test.lua:1: argument 2: expected an integer, got \"x\""),
        ("add(1)", "test.lua:1: argument 2: expected an integer, got nil"),
        ("add(1.5, 1)", "test.lua:1: argument 1: expected an integer from \(Int.min) to \(Int.max), got 1.5"),
        ("byte(256)", "test.lua:1: argument 1: expected an integer from 0 to 255, got 256"),
        ("half('1')", "test.lua:1: argument 1: expected a number, got \"1\""),
        ("greet({})", "test.lua:1: argument 1: expected a string, got a table"),
        ("greet('\\xff')", "test.lua:1: argument 1: expected a string that is UTF-8, got \"\u{FFFD}\""),
        ("no(1)", "test.lua:1: argument 1: expected true or false, got 1"),
        ("spread(1)", "test.lua:1: argument 1: expected a table, got 1"),
        ("tax(5)", "test.lua:1: argument 1: expected money, got 5"),
        ("maybe('x')", "test.lua:1: argument 1: expected an integer, got \"x\""),
        ("total({ 1, 'x' })", "test.lua:1: argument 1, element 2: expected an integer, got \"x\""),
        ("total({ 1 }, 'x')", "test.lua:1: argument 2: expected an integer, got \"x\""),
        ("total({ a = 1 })", "test.lua:1: argument 1: expected a list, got a table"),
        ("total(nil)", "test.lua:1: argument 1: expected a list, got nil"),
        ("grid({ { 1 }, 2 })", "test.lua:1: argument 1, element 2: expected a list, got 2"),
        ("keys({ 1 })", "test.lua:1: argument 1: expected a table whose keys are strings, got a table"),
        ("keys({ a = 'x' })", "test.lua:1: argument 1, key \"a\": expected an integer, got \"x\""),
        ("keys({ [true] = 1 })", "test.lua:1: argument 1: expected a table whose keys are strings, got a table"),
    ]

    @Test(arguments: wrong)
    func invalidArgumentsAreReported(_ call: String, _ message: String) {
        do {
            _ = try results("return " + call)
            Issue.record("expected a failure")
        } catch {
            #expect("\(error)" == message)
        }
    }

    @Test func callsPassAndReturnTypedValues() throws {
        let state = try LuaState(profile: .config, limits: .config)
        try state.perform { (lua) throws in
            func load(_ text: String) throws -> LuaFunction { try lua.load(LuaSource(text, chunkName: "t.lua")) }
            #expect(try lua.call(load("local a, b = ... return a + b"), passing: 1, 2, returning: Int.self) == 3)
            let pair = try lua.call(load("return ..., 'x'"), passing: 2.5, returning: Double.self, String.self)
            #expect(pair == (2.5, "x"))
            try lua.call(load("return 1"))
            let all = try lua.call(load("return ..."), passing: "a", true, [1, 2], returning: LuaVariadic.self)
            #expect(all.values == ["a", true, [1, 2]])
            let long = String(repeating: "x", count: 10_000)
            #expect(try lua.call(load("return ... .. 'y'"), passing: long, returning: String.self) == long + "y")
            do {
                _ = try lua.call(load("return 'x'"), passing: 1, returning: Int.self)
                Issue.record("expected a failure")
            } catch let error as LuaError {
                #expect("\(error)" == "result 1: expected an integer, got \"x\"")
            }
        }
    }

    @Test func typedFunctionsMayCallLua() throws {
        let state = try LuaState(profile: .config, limits: .config)
        try state.perform { lua in
            let inner = try lua.load(LuaSource("return ('x'):rep(5000)", chunkName: "inner"))
            let outer = try lua.bind("outer") { (count: Int) in
                try state.perform { try $0.call(inner, returning: String.self) }.utf8.count + count
            }
            #expect(try lua.call(lua.load(LuaSource("return (...)(1)", chunkName: "o")), [outer]) == [5001])
        }
    }

    /// These tests measure memory, even where a sanitizer makes each call slow.
    private static var patient: LuaLimits {
        var limits = LuaLimits.config
        limits.cpuTime = .seconds(20)
        return limits
    }

    /// A loop must not fill the state with functions that were passed but never read.
    @Test(arguments: [
        "f(1, function() return i end)", "pcall(f, 'x', function() return i end)",
        "pcall(g, { 1, 'x', function() return i end })", "pcall(h, { a = function() return i end, [true] = f })",
        "h({ a = function() return i end })",
    ])
    func unreadArgumentsAreReleased(_ call: String) throws {
        let state = try LuaState(profile: .config, limits: Self.patient)
        defer { state.close() }
        try state.perform { lua in
            try lua.setGlobal("f", lua.bind("f") { (a: Int) in a })
            try lua.setGlobal("g", lua.bind("g") { (list: [Int]) in list.count })
            try lua.setGlobal("h", lua.bind("h") { (values: [String: LuaValue]) in values.count })
            let text = "for i = 1, 5000 do \(call) end for i = 1, 200000 do local t = { i } end"
            try lua.call(lua.load(LuaSource(text, chunkName: "test.lua")))
            #expect(lua.usage.memory < 200_000)
        }
    }

    @Test func unreadResultsAreReleased() throws {
        let state = try LuaState(profile: .config, limits: Self.patient)
        defer { state.close() }
        try state.perform { lua in
            let chunk = try lua.load(
                LuaSource("local n = ... return 1, function() return n end", chunkName: "test.lua"))
            for _ in 0..<5000 { #expect(try lua.call(chunk, returning: Int.self) == 1) }
            try lua.call(lua.load(LuaSource("for i = 1, 200000 do local t = { i } end", chunkName: "test.lua")))
            #expect(lua.usage.memory < 200_000)
        }
    }

    /// Two references to the same registry slot would both release it, and later refer to each other's function.
    @Test func rejectedTableReleasesItsFunctionsOnce() throws {
        let state = try LuaState(profile: .config, limits: .config)
        defer { state.close() }
        try state.perform { lua in
            try lua.setGlobal("h", lua.bind("h") { (values: [String: LuaValue]) in values.count })
            try lua.call(
                lua.load(LuaSource("pcall(h, { a = function() end, [true] = 1 })", chunkName: "test.lua")))
            let make = try lua.load(LuaSource("local n = ... return function() return n end", chunkName: "test.lua"))
            let functions = try (0..<4).map { number in
                try #require(lua.call(make, [.integer(Int64(number))]).first?.functionValue)
            }
            #expect(try functions.map { try lua.call($0) } == [[0], [1], [2], [3]])
        }
        let text = "local ok, m = pcall(h, { a = 1, [true] = 1 }) return m"
        let message = try run(text) { lua in
            ["h": try lua.bind("h") { (values: [String: LuaValue]) in values.count }]
        }
        #expect(message == ["test.lua:1: argument 1: expected a table whose keys are strings, got a table"])
    }
}
