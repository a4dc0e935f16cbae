import GlassBase
import LuaBridge

/// The result of `glass.expect(value)`: a value with methods that raise an error if it is not as expected.
final class ScriptExpectation: Sendable {
    private let actual: LuaValue
    private let isNegated: Bool

    init(_ actual: LuaValue, isNegated: Bool = false) {
        self.actual = actual
        self.isNegated = isNegated
    }

    /// The Lua type of an expectation.
    static let type: LuaObjectType = LuaObjectType(
        name: "expectation",
        methods: [
            "toBe": check { expectation, _, arguments, budget in
                let expected = arguments.first ?? .nil
                if case .table = expected {
                    throw ScriptAssertion("toBe compares single values; use toEqual for tables")
                }
                return Verdict(
                    try expectation.actual.equals(expected, spending: budget), "to be \(expected.literal)",
                    against: expected)
            },
            "toEqual": check { expectation, _, arguments, budget in
                let expected = arguments.first ?? .nil
                return Verdict(
                    try expectation.actual.equals(expected, spending: budget), "to equal \(expected.literal)",
                    against: expected)
            },
            "toBeNil": check { expectation, _, _, _ in
                Verdict(expectation.actual == .nil, "to be nil")
            },
            "toContain": check { expectation, _, arguments, budget in
                let wanted = arguments.first ?? .nil
                switch (expectation.actual, wanted) {
                case (.string(let text), .string(let part)):
                    return Verdict(
                        try text.bytes.contains(part.bytes, spending: budget), "to contain \(wanted.literal)")
                case (.table(let table), _):
                    let values = table.array + table.fields.map(\.value)
                    let found = try values.contains { try $0.equals(wanted, spending: budget) }
                    return Verdict(found, "to contain \(wanted.literal)")
                default:
                    throw ScriptAssertion("toContain expects a string or a table, got \(expectation.actual.literal)")
                }
            },
            "toMatch": check { expectation, context, arguments, budget in
                guard case .string? = arguments.first, case .string = expectation.actual else {
                    throw ScriptAssertion("toMatch expects a string and a Lua pattern")
                }
                guard case .table(let string) = try context.global("string"),
                    case .function(let find)? = string["find"]
                else { throw ScriptAssertion("toMatch needs string.find, which the script replaced") }
                let found = try context.call(find, [expectation.actual, arguments[0]])
                return Verdict(found.first.map { $0 != .nil } ?? false, "to match \(arguments[0].literal)")
            },
            "toRaise": check { expectation, context, arguments, budget in
                guard case .function(let function) = expectation.actual else {
                    throw ScriptAssertion("toRaise expects a function, got \(expectation.actual.literal)")
                }
                let part = arguments.first?.stringValue
                let wanted =
                    "to raise"
                    + (part.map { " an error with \"\($0.shortened(toBytes: maximumQuoted))\"" } ?? " an error")
                do {
                    _ = try context.call(function, [])
                    return Verdict(false, wanted)
                } catch let error as LuaError {
                    guard !error.isLimit else { throw error }
                    guard let part else { return Verdict(true, wanted) }
                    let message = Array(error.message.utf8)
                    if try message.contains(Array(part.utf8), spending: budget) { return Verdict(true, wanted) }
                    let got = error.message.shortened(toBytes: maximumQuoted)
                    throw ScriptAssertion("expected \(wanted.dropFirst(3)), got \"\(got)\"")
                }
            },
        ],
        properties: [
            "never": { context, object in
                guard let expectation = object as? ScriptExpectation else { return .nil }
                let negated = ScriptExpectation(expectation.actual, isNegated: !expectation.isNegated)
                return try negated.luaValue(in: context)
            }
        ])

    /// The maximum length of an error's text that is shown, in bytes.
    private static let maximumQuoted = 1024
    /// The maximum number of steps of a comparison. Two values of the maximum size that a call can pass need fewer.
    private static let maximumSteps = 2_000_000

    /// The expectation as a Lua value. Its contents count as the script's memory until Lua has collected it.
    func luaValue(in context: LuaContext) throws(LuaError) -> LuaValue {
        try context.object(self, Self.type, holding: actual.footprint)
    }

    /// Whether an expectation is met, and its description in an error.
    private struct Verdict {
        let holds: Bool
        let wanted: String
        /// The value to compare with; nil if the expectation is not about equality.
        let expected: LuaValue?

        init(_ holds: Bool, _ wanted: String, against expected: LuaValue? = nil) {
            self.holds = holds
            self.wanted = wanted
            self.expected = expected
        }
    }

    private typealias Check = @Sendable (ScriptExpectation, LuaContext, [LuaValue], WorkBudget) throws -> Verdict

    private static func check(_ body: @escaping Check) -> LuaObjectType.Method {
        { context, object, arguments in
            guard let expectation = object as? ScriptExpectation else { return [] }
            let budget = WorkBudget(work: [.comparing: maximumSteps])
            let verdict = try body(expectation, context, arguments, budget)
            guard verdict.holds == expectation.isNegated else { return [] }
            let never = expectation.isNegated ? "never " : ""
            var text = "expected \(expectation.actual.literal) \(never)\(verdict.wanted)"
            if !expectation.isNegated, let expected = verdict.expected {
                text += try LuaDifferences(inside: expectation.actual, expected, spending: budget)?.text ?? ""
            }
            throw ScriptAssertion(text)
        }
    }
}

/// The error for an expectation that is not met.
package struct ScriptAssertion: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
