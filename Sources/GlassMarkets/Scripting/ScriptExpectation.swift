import LuaBridge

/// What `glass.expect(value)` gives: a value with methods that raise an error when it is not as expected.
final class ScriptExpectation: Sendable {
    private let actual: LuaValue
    private let isNegated: Bool

    init(_ actual: LuaValue, isNegated: Bool = false) {
        self.actual = actual
        self.isNegated = isNegated
    }

    /// The Lua side of an expectation.
    static let type: LuaObjectType = LuaObjectType(
        name: "expectation",
        methods: [
            "toBe": check { expectation, _, arguments in
                let expected = arguments.first ?? .nil
                if case .table = expected {
                    throw ScriptAssertion("toBe compares single values; use toEqual for tables")
                }
                return (expectation.actual.equals(expected), "to be \(expected.literal)")
            },
            "toEqual": check { expectation, _, arguments in
                let expected = arguments.first ?? .nil
                return (expectation.actual.equals(expected), "to equal \(expected.literal)")
            },
            "toBeNil": check { expectation, _, _ in
                (expectation.actual == .nil, "to be nil")
            },
            "toContain": check { expectation, _, arguments in
                let wanted = arguments.first ?? .nil
                switch (expectation.actual, wanted) {
                case (.string(let text), .string(let part)):
                    return (text.bytes.contains(part.bytes), "to contain \(wanted.literal)")
                case (.table(let table), _):
                    let found = table.entries.contains { $0.value.equals(wanted) }
                    return (found, "to contain \(wanted.literal)")
                default:
                    throw ScriptAssertion("toContain looks into a text or a table, got \(expectation.actual.literal)")
                }
            },
            "toMatch": check { expectation, context, arguments in
                guard case .string? = arguments.first, case .string = expectation.actual else {
                    throw ScriptAssertion("toMatch compares a text with a Lua pattern")
                }
                guard case .table(let string) = try context.global("string"),
                    case .function(let find)? = string["find"]
                else { throw ScriptAssertion("toMatch needs string.find, which the script replaced") }
                let found = try context.call(find, [expectation.actual, arguments[0]])
                return (found.first.map { $0 != .nil } ?? false, "to match \(arguments[0].literal)")
            },
            "toRaise": check { expectation, context, arguments in
                guard case .function(let function) = expectation.actual else {
                    throw ScriptAssertion("toRaise calls a function, got \(expectation.actual.literal)")
                }
                let part = arguments.first?.stringValue
                let wanted = "to raise" + (part.map { " an error with \"\($0)\"" } ?? " an error")
                do throws(LuaError) {
                    _ = try context.call(function, [])
                    return (false, wanted)
                } catch {
                    guard !error.isLimit else { throw error }
                    guard let part, !error.message.contains(part) else { return (true, wanted) }
                    throw ScriptAssertion("expected \(wanted.dropFirst(3)), got \"\(error.message)\"")
                }
            },
        ],
        properties: [
            "never": { context, object in
                guard let expectation = object as? ScriptExpectation else { return .nil }
                let negated = ScriptExpectation(expectation.actual, isNegated: !expectation.isNegated)
                return try context.object(negated, type)
            }
        ])

    private typealias Check =
        @Sendable (ScriptExpectation, LuaContext, [LuaValue]) throws -> (holds: Bool, wanted: String)

    private static func check(_ body: @escaping Check) -> LuaObjectType.Method {
        { context, object, arguments in
            guard let expectation = object as? ScriptExpectation else { return [] }
            let (holds, wanted) = try body(expectation, context, arguments)
            guard holds == expectation.isNegated else { return [] }
            var text = "expected \(expectation.actual.literal) \(expectation.isNegated ? "never " : "")\(wanted)"
            if !expectation.isNegated, case .table = expectation.actual, case .table? = arguments.first {
                text += expectation.actual.differences(from: arguments[0])
            }
            throw ScriptAssertion(text)
        }
    }
}

/// An expectation of a script that did not hold.
struct ScriptAssertion: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
