import Foundation
import LuaBridge
import Testing

/// Each way a program can fail has its own case and its own message.
@Suite(.timeLimit(.minutes(5)))
struct LuaErrorCaseTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var description: String
        var change: @Sendable (inout LuaLimits) -> Void = { _ in }

        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "syntax", text: "x = }", description: "test.lua:1:5: unexpected symbol near '}'"),
        Row(name: "runtime", text: "\nerror('boom')", description: "test.lua:2: boom"),
        Row(
            name: "timeLimit", text: "while true do end",
            description: "test.lua:1: time limit exceeded: 30 ms of CPU time",
            change: { $0.cpuTime = .milliseconds(30) }),
        Row(
            name: "timeLimit", text: "while true do end", description: "test.lua:1: time limit exceeded: 30 ms",
            change: {
                $0.cpuTime = .seconds(60)
                $0.wallTime = .milliseconds(30)
            }),
        Row(
            name: "instructionLimit", text: "while true do end",
            description: "test.lua:1: instruction limit exceeded: 5,000 instructions",
            change: { $0.instructions = 5000 }),
        Row(
            name: "memoryLimit", text: "for i = 1, 9999 do end s = ('x'):rep(1 << 30)",
            description: "test.lua:1: memory limit exceeded: 16 MB"),
        Row(
            name: "outputLimit", text: "print(('x'):rep(100))",
            description: "test.lua:1: output limit exceeded: 50 bytes", change: { $0.outputSize = 50 }),
        Row(
            name: "sourceTooLarge", text: "return 12345",
            description: "the source has 12 bytes, more than the limit of 10",
            change: { $0.sourceSize = 10 }),
        Row(
            name: "tooManyNames", text: "return a" + String(repeating: ".b", count: 1001),
            description: "test.lua:1:2009: an expression has more than 1000 names"),
        Row(
            name: "denied", text: "\ndofile('x')",
            description: "test.lua:2: 'dofile' is not available in the PROFILE profile"),
        Row(
            name: "conversion", text: "return { a = { [print] = 1 } }",
            description: "a[function]: result: a key must be a string, a number or a boolean"),
        Row(name: "denied", text: "return undefinde", description: "test.lua:1: undefined global 'undefinde'"),
        Row(
            name: "conversion", text: "decodePorts({ http = 'x' })",
            description: "test.lua:1: http: expected an integer, got \"x\""),
        Row(
            name: "notUTF8", text: "decodeNames({ '\\xff' })",
            description: "test.lua:1: [1]: the string is not UTF-8"),
        Row(
            name: "conversion", text: "expectInteger('x')",
            description: "test.lua:1: argument 1: expected an integer, got \"x\""),
        Row(name: "notUTF8", text: "return { label = '\\xff' }", description: "label: the string is not UTF-8"),
        Row(
            name: "cycle", text: "local t = {} t.a = { b = t } return t",
            description: "a.b: result: the table contains itself"),
        Row(
            name: "tooDeep", text: "return { a = { { {} } } }",
            description: "a[1][1]: result: tables are nested too deeply",
            change: { $0.tapeDepth = 3 }),
        Row(
            name: "tooLarge", text: "return { a = { 1, 2, 3 } }", description: "a[3]: result: there is too much data",
            change: { $0.tapeNodes = 5 }),
        Row(
            name: "tooLarge", text: "return { a = { s = ('x'):rep(100) } }",
            description: "a.s: result: there is too much data", change: { $0.tapeBytes = 50 }),
    ]

    private static func name(_ error: LuaError) -> String {
        switch error {
        case .syntax: "syntax"
        case .runtime: "runtime"
        case .timeLimit: "timeLimit"
        case .instructionLimit: "instructionLimit"
        case .memoryLimit: "memoryLimit"
        case .outputLimit: "outputLimit"
        case .sourceTooLarge: "sourceTooLarge"
        case .tooManyNames: "tooManyNames"
        case .denied: "denied"
        case .conversion: "conversion"
        case .notUTF8: "notUTF8"
        case .cycle: "cycle"
        case .tooDeep: "tooDeep"
        case .tooLarge: "tooLarge"
        }
    }

    @Test(arguments: rows, [LuaProfile.config, .script])
    func everyFailureHasItsOwnCaseAndMessage(_ row: Row, _ profile: LuaProfile) throws {
        var limits = LuaLimits.config
        row.change(&limits)
        do {
            let values = try run(row.text, profile: profile, limits: limits) { lua in
                [
                    "expectInteger": try lua.bind("expectInteger") { (_: Int) -> Void in },
                    "decodePorts": try lua.bind("decodePorts") { (ports: LuaTable) -> Void in
                        _ = try LuaDecoder().decode([String: Int].self, from: .table(ports))
                    },
                    "decodeNames": try lua.bind("decodeNames") { (names: LuaTable) -> Void in
                        _ = try LuaDecoder().decode([String].self, from: .table(names))
                    },
                ]
            }
            _ = try LuaDecoder().decode([String: String].self, from: values.first ?? [:])
            Issue.record("expected a failure")
        } catch let error as LuaError {
            #expect(Self.name(error) == row.name)
            let description = row.description.replacing("PROFILE", with: profile == .config ? "config" : "script")
            #expect("\(error)" == description)
        }
    }

    @Test(arguments: [LuaProfile.config, .script])
    func warningsReachTheHost(_ profile: LuaProfile) throws {
        let lines = Lines()
        var limits = LuaLimits.config
        limits.outputSize = 40
        let state = try LuaState(profile: profile, limits: limits, warning: { lines.add("\($0)") })
        try state.perform { lua in
            try lua.call(lua.load(LuaSource("warn('old ', 'key') warn('@on') warn('@', 'x')", chunkName: "w")))
            #expect(throws: LuaError.self) { try lua.call(lua.load(LuaSource("warn({})", chunkName: "w"))) }
            let flood = try lua.load(LuaSource("while true do pcall(warn, '0123456789') end", chunkName: "w"))
            do {
                try lua.call(flood)
                Issue.record("expected the output limit")
            } catch LuaError.outputLimit {}
        }
        #expect(lines.all == ["old key", "@x", "0123456789", "0123456789", "0123456789"])
    }

    @Test func outputReachesTheHostLineByLine() throws {
        let lines = Lines()
        let state = try LuaState(profile: .script, limits: .script, output: { lines.add("\($0)") })
        try state.perform { lua in
            try lua.call(lua.load(LuaSource("print('a', 1, nil, true) print() print('b\\nc')", chunkName: "p")))
        }
        #expect(lines.all == ["a\t1\tnil\ttrue", "", "b\nc"])
    }
}
