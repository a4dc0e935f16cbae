import LuaBridge
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LuaProfileTests {
    private static let list = """
        local names = {}
        for name, value in pairs(_G) do
          if type(value) == 'table' and value ~= _G then
            for member in pairs(value) do names[#names + 1] = name .. '.' .. member end
          else names[#names + 1] = name end
        end
        table.sort(names)
        return table.concat(names, ' ')
        """

    static let config = """
        _G _VERSION assert error ipairs math.abs math.acos math.asin math.atan math.ceil math.cos math.deg math.exp \
        math.floor math.fmod math.huge math.log math.max math.maxinteger math.min math.mininteger math.modf math.pi \
        math.rad math.random math.randomseed math.sin math.sqrt math.tan math.tointeger math.type math.ult next pairs \
        pcall print select string.byte string.char string.find string.format string.gmatch string.gsub string.len \
        string.lower string.match string.rep string.reverse string.sub string.upper table.concat table.insert \
        table.move table.pack table.remove table.sort table.unpack tonumber tostring type utf8.char utf8.charpattern \
        utf8.codepoint utf8.codes utf8.len utf8.offset xpcall
        """

    static let scriptOnly = """
        coroutine.close coroutine.create coroutine.isyieldable coroutine.resume coroutine.running coroutine.status \
        coroutine.wrap coroutine.yield getmetatable load os.clock os.date os.difftime os.time rawequal rawget rawlen \
        rawset setmetatable
        """

    @Test func configProfileHasExactlyTheseNames() throws {
        #expect(try run(Self.list).first?.stringValue == Self.config)
    }

    @Test func scriptProfileHasExactlyTheseNames() throws {
        let names = (Self.config + " " + Self.scriptOnly).split(separator: " ").sorted().joined(separator: " ")
        #expect(try run(Self.list, profile: .script).first?.stringValue == names)
    }

    static let denied: [(String, LuaProfile, String, String)] = [
        ("return retries", .config, "retries", "undefined global 'retries'"),
        ("return os.time()", .config, "os", "'os' is not available in the config profile"),
        (
            "return setmetatable({}, {})", .config, "setmetatable",
            "'setmetatable' is not available in the config profile"
        ),
        ("return load('')", .config, "load", "'load' is not available in the config profile"),
        ("return require('x')", .script, "require", "'require' is not available in the script profile"),
        ("return io.open('x')", .script, "io", "'io' is not available in the script profile"),
        ("return os.execute('x')", .script, "os.execute", "'os.execute' is not available in the script profile"),
        ("return string.dump(print)", .script, "string.dump", "'string.dump' is not available in the script profile"),
        ("return ('x'):dump()", .config, "string.dump", "'string.dump' is not available in the config profile"),
        (
            "setmetatable({}, { __gc = print })", .script, "__gc",
            "the metamethod '__gc' is not available in the script profile"
        ),
        (
            "setmetatable({}, { __mode = 'k' })", .script, "__mode",
            "the metamethod '__mode' is not available in the script profile"
        ),
        (
            "setmetatable({}, { __concat = print })", .script, "__concat",
            "the metamethod '__concat' is not available in the script profile"
        ),
        (
            "setmetatable({}, { __metatable = 1 })", .script, "__metatable",
            "the metamethod '__metatable' is not available in the script profile"
        ),
        ("load('\\27Lua')", .script, "load", "load takes text only, not bytecode"),
    ]

    @Test(arguments: denied)
    func absentNamesAreDenied(_ text: String, _ profile: LuaProfile, _ name: String, _ message: String) throws {
        let error = try #require(failure("\n" + text, profile: profile))
        guard case .denied(let denied, let detail) = error else {
            Issue.record("expected a denial, got \(error)")
            return
        }
        #expect(denied == name)
        #expect(detail.message == message)
        #expect(detail.position == LuaPosition(chunk: "test.lua", line: 2))
    }

    @Test func denialsCanBeCaught() throws {
        #expect(
            try run("return pcall(function() return retries end)") == [false, "test.lua:1: undefined global 'retries'"])
    }

    static let orders: [(String, String)] = [
        ("{ 'x', 'y', b = 1, a = 2 }", "1 2 a b"), ("{ z = 1, B = 2, a = 3, ['é'] = 4, A = 5 }", "A B a z é"),
        ("{ [10] = 1, [2.5] = 2, [-3] = 3, [true] = 4, [false] = 5, k = 6 }", "-3 2.5 10 k false true"),
        ("{ 'a', 'b', nil, 'd' }", "1 2 4"), ("{}", ""),
    ]

    @Test(arguments: orders)
    func pairsAndNextVisitInOrder(_ table: String, _ order: String) throws {
        let byPairs = "local o = {} for k in pairs(\(table)) do o[#o + 1] = tostring(k) end return table.concat(o, ' ')"
        #expect(try run(byPairs) == [LuaValue(order)])
        let byNext = """
            local t, o = \(table), {}
            local k = next(t)
            while k ~= nil do o[#o + 1] = tostring(k) k = next(t, k) end
            return table.concat(o, ' ')
            """
        #expect(try run(byNext) == [LuaValue(order)])
    }

    @Test func pairsAllowsRemovalAndNamesKeysWithoutOrder() throws {
        #expect(
            try run(
                "local t, n = { a = 1, b = 2, c = 3 }, 0 for k in pairs(t) do t[k] = nil t.c = nil n = n + 1 end return n"
            )
                == [2])
        #expect(
            failure("for k in pairs({ [{}] = 1 }) do end")?.message
                == "a key of type 'table' has no order: use strings, numbers or booleans as keys")
        #expect(
            failure("return next({ [print] = 1 })")?.message
                == "a key of type 'function' has no order: use strings, numbers or booleans as keys")
    }

    @Test func textsInConfigContainNoAddresses() throws {
        let text = """
            return tostring({}), tostring(print), string.format('%s|%p|%10s|%d', {}, {}, print, 5), ('%p'):format('x')
            """
        #expect(try run(text) == ["table", "function", "table|table|  function|5", "string"])
        let lines = Lines()
        let state = try LuaState(profile: .config, limits: .config, output: { lines.add($0.description) })
        try state.perform { lua in
            try lua.call(lua.load(LuaSource("print({}, 1, 'x', nil, true) print()", chunkName: "p")))
        }
        #expect(lines.all == ["table\t1\tx\tnil\ttrue", ""])
    }

    @Test func randomNumbersAreReproducible() throws {
        let text = "return math.random(1000000), math.random(), math.random(10)"
        #expect(try run(text) == run(text))
        #expect(failure("math.randomseed()")?.message.hasPrefix("math.randomseed needs a number") == true)
    }

    @Test func statesDoNotShareLibraries() throws {
        #expect(try run("pairs = nil string.format = function() return 'pwned' end math.floor = nil return 1") == [1])
        #expect(try run("return string.format('%d', math.floor(2.5))") == ["2"])
    }

    static let metatables: [(String, [LuaValue])] = [
        (
            "local mt = { __index = { a = 1 } } local t = setmetatable({}, mt) return t.a, getmetatable(t) == mt",
            [1, true]
        ),
        ("local mt = { __index = { a = 1 } } local t = setmetatable({}, mt) mt.__index = { a = 2 } return t.a", [1]),
        ("local t = setmetatable({}, { __call = function(_, x) return x * 2 end }) return t(4)", [8]),
        (
            "local t = setmetatable({}, { __add = function() return 'sum' end, __len = function() return 9 end }) return t + 1, #t",
            ["sum", 9]
        ),
        ("return getmetatable('x'), getmetatable(_G), getmetatable(string)", [.nil, .nil, .nil]),
        ("return pcall(setmetatable, _G, {})", [false, "test.lua:1: cannot change a protected metatable"]),
        (
            "local C = {} C.__index = C function C.new() return setmetatable({ n = 1 }, C) end function C:get() return self.n end return C.new():get()",
            [1]
        ),
        ("return tostring(setmetatable({}, { __tostring = function() return 'me' end }))", ["me"]),
        ("local t = setmetatable({}, { __index = {} }) return getmetatable(setmetatable(t, nil))", [.nil]),
    ]

    @Test(arguments: metatables)
    func metatablesBehaveAsDocumented(_ text: String, _ results: [LuaValue]) throws {
        #expect(try run(text, profile: .script) == results)
    }

    static let loads: [(String, [LuaValue])] = [
        ("return load('return 1 + 1')()", [2]), ("return load('return x', 'n', 't', { x = 5 })()", [5]),
        ("return load('return =', 'my')", [.nil, "[load my]:1: unexpected symbol near '='"]),
        ("return select(2, pcall(load('error(\"x\")', '@other-market.lua')))", ["[load other-market.lua]:1: x"]),
        ("return pcall(load, function() end)", [false, "test.lua:1: load takes the source of a chunk as a string"]),
    ]

    @Test(arguments: loads)
    func loadAcceptsOnlyText(_ text: String, _ results: [LuaValue]) throws {
        #expect(try run(text, profile: .script) == results)
    }

    @Test func bytecodeIsRejectedAsSyntaxError() throws {
        let error = try #require(failure("\u{1b}Lua"))
        #expect(error.message.hasPrefix("attempt to load a binary chunk"))
    }

    @Test func requireCallsLoaderOnce() throws {
        let names = Lines()
        let state = try LuaState(
            profile: .script, limits: .script,
            moduleLoader: { name in
                names.add(name)
                switch name {
                case "lib.fees":
                    return LuaSource("local name = ... return { rate = 2, name = name }", chunkName: "lib/fees.lua")
                case "bad": return LuaSource("\nerror('broken')", chunkName: "bad.lua")
                case "loop": return LuaSource("return require('loop')", chunkName: "loop.lua")
                default: return nil
                }
            })
        try state.perform { (lua) throws in
            func value(_ text: String) throws -> [LuaValue] {
                try lua.call(lua.load(LuaSource(text, chunkName: "main.lua")))
            }
            #expect(
                try value("local a, b = require('lib.fees'), require('lib.fees') return a == b, a.rate, a.name") == [
                    true, 2, "lib.fees",
                ])
            #expect(names.all == ["lib.fees"])
            #expect(throws: LuaError.self) { try value("require('bad')") }
            #expect(try value("return pcall(require, 'none')") == [false, "main.lua:1: there is no module 'none'"])
            #expect(
                try value("return select(2, pcall(require, 'loop'))").first?.stringValue?.hasSuffix(
                    "module 'loop' requires itself") == true)
            for name in ["../x", "/etc/passwd", "a..b", ".a", "a.", "", "a/b", "a\\\\b"] {
                #expect(try value("return (pcall(require, '\(name)'))") == [false])
            }
            #expect(!names.all.contains { $0.contains("/") || $0.contains("..") })
        }
    }

    @Test func scriptsTraverseTablesInLuaOrder() throws {
        let text = """
            local sum = 0
            for _, v in pairs({ a = 1, b = 2, 4 }) do sum = sum + v end
            local counting = setmetatable({}, { __pairs = function(t)
              return function(_, k) if k ~= 3 then return (k or 0) + 1 end end, t
            end })
            for k in pairs(counting) do sum = sum + 10 * k end
            return sum, pairs({}) == next, next({}), next({ 7 }), (select(2, pcall(next, {}, 'x')))
            """
        #expect(try run(text, profile: .script) == [67, true, .nil, 1, "invalid key to 'next'"])
        let yields = """
            local t = setmetatable({}, { __pairs = function(t) coroutine.yield(1) return next, { x = 2 } end })
            local c = coroutine.wrap(function() for k, v in pairs(t) do return k, v end end)
            return c(), c()
            """
        #expect(try run(yields, profile: .script) == [1, "x", 2])
    }

    @Test func dateFormatIsLimited() throws {
        #expect(try run("return os.date('!%Y', 0)", profile: .script) == ["1970"])
        let error = try #require(failure("return os.date(('%Y'):rep(3000))", profile: .script))
        #expect("\(error)" == "test.lua:1: the format of os.date has at most 4096 bytes")
    }

    /// Deep class hierarchies work; a long list behind thousands of metatables is rejected instead of taking minutes.
    @Test func listsWithMetatablesAreLimitedToAMillionAccesses() throws {
        let classes = "local c = { 1, 2, 3 } for i = 1, 20 do c = setmetatable({}, { __index = c }) end "
        #expect(try run(classes + "return table.concat(c, ',', 1, 3)", profile: .script) == ["1,2,3"])
        #expect(try run(classes + "return table.unpack(c, 1, 3)", profile: .script) == [1, 2, 3])
        let object = "local t = setmetatable({}, { __index = c }) for i = 1, 1000 do table.insert(t, 1, i) end "
        #expect(
            try run(classes + object + "table.sort(t) return t[1], table.remove(t, 1)", profile: .script) == [1, 1])
        let error = try #require(
            failure(classes + "table.move(c, 1, 100000, 1, {})", profile: .script))
        #expect(
            "\(error)" == "test.lua:1: 100000 elements of a table with 20 chained metatables are too many for one call"
        )
    }
}
