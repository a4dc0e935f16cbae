import GlassBase
import GlassMarkets
import GlassSchema
package import LuaBridge

/// The differences between two values, as text of a few lines.
struct LuaDifferences {
    /// The maximum number of lines. Further lines are counted, not shown.
    private static let maximumLines = 20
    /// The maximum length of a path, in bytes. A longer path is shortened.
    private static let maximumPathLength = 200

    /// Lines such as `  at account.paths[1]: got "a", expected "b"`, each after a line break; empty if the values are
    /// equal.
    let text: String

    /// Compares two tables or long strings. Nil for other values, for which a line with both of them is enough.
    init?(
        inside actual: LuaValue, _ expected: LuaValue, spending budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        switch (actual, expected) {
        case (.table, .table): break
        case (.string(let actual), .string(let expected)):
            guard [actual.text, expected.text].compactMap(\.self).excerpts != nil else { return nil }
        default: return nil
        }
        let found = try StructuralDifference.all(
            between: [actual, expected], most: Self.maximumLines, spending: budget)
        let lines = found.shown.flatMap(Self.lines)
        // Differences that are not shown are counted by position; one of a list may have several lines.
        let more = found.count - found.shown.count + max(0, lines.count - Self.maximumLines)
        text =
            lines.prefix(Self.maximumLines).map { "\n  \($0)" }.joined() + (more > 0 ? "\n  and \(more) more" : "")
    }

    private static func lines(_ difference: StructuralDifference<LuaValue>) -> [String] {
        switch difference.form {
        case .values(let values):
            return [line(at: difference.path, got: values[0], expected: values[1])]
        case .order:
            return ["at \(shown(difference.path)): the same elements in a different order"]
        case .elements(let sides):
            let expected = Dictionary(sides[1].map { ($0.index, $0.value) }) { first, _ in first }
            let got = Dictionary(sides[0].map { ($0.index, $0.value) }) { first, _ in first }
            return Set(got.keys).union(expected.keys).sorted().map { index in
                line(at: "\(difference.path)[\(index)]", got: got[index], expected: expected[index])
            }
        }
    }

    private static func line(at path: String, got: LuaValue?, expected: LuaValue?) -> String {
        if case .string(let got)? = got, case .string(let expected)? = expected,
            let excerpts = [got.text, expected.text].compactMap(\.self).excerpts
        {
            let texts = excerpts.texts.map(\.quotedForMessage)
            return "at \(shown(path)): got \(texts[0]), expected \(texts[1]); they differ starting at character "
                + "\(excerpts.position)"
        }
        return "at \(shown(path)): got \((got ?? .nil).literal), expected \((expected ?? .nil).literal)"
    }

    private static func shown(_ path: String) -> String {
        let path = path.hasPrefix(".") ? String(path.dropFirst()) : path
        return path.isEmpty ? "the top" : path.shortened(toBytes: maximumPathLength)
    }
}

extension [String] {
    /// The excerpts of two texts; nil if one of them cannot be shown.
    fileprivate var excerpts: TextExcerpts? { count == 2 ? TextExcerpts(self) : nil }
}

extension LuaValue: StructuredValue {
    package var listElements: [LuaValue]? {
        if case .table(let table) = self { table.array } else { nil }
    }

    package var fields: [(key: LuaTable.Key, value: LuaValue)] {
        guard case .table(let table) = self else { return [] }
        return table.fields.compactMap { field in LuaTable.Key(field.key).map { ($0, field.value) } }
    }

    package var identity: LuaTable.Key? {
        // To Lua, a float with an integral value is the same as the integer.
        if case .number(let number) = self, let integer = Int64(exactly: number) { return .integer(integer) }
        return LuaTable.Key(self)
    }

    package var label: String? {
        switch self {
        case .integer(let number): "\(number)"
        case .string(let string): string.text?.pathLabel
        default: nil
        }
    }

    package var steps: Int {
        if case .string(let string) = self { 1 + string.count / 64 } else { 1 }
    }

    package func field(named name: String) -> LuaValue? {
        guard case .table(let table) = self else { return nil }
        return table[name]
    }

    package func isSame(as other: LuaValue) -> Bool {
        if let identity, let other = other.identity { return identity == other }
        return self == other
    }

    package static func step(to key: LuaTable.Key) -> String {
        guard case .string(let name) = key, let text = name.text else { return "[\(key.value.literal)]" }
        return ".\(text.shortened(toBytes: 200))"
    }
}
