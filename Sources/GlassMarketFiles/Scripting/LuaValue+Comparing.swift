import GlassBase
import LuaBridge

extension LuaValue {
    /// Whether two values are the same to a script: numbers by value, tables by content, everything else by identity.
    ///
    /// - Parameters:
    ///   - other: The other value.
    ///   - allowance: What the comparison may use; a value is a step, and so are 64 bytes.
    /// - Returns: True when they are. Linear in the size of the tables.
    /// - Throws: `Allowance.Exceeded` when the allowance ran out.
    func equals(_ other: LuaValue, spending allowance: Allowance) throws(Allowance.Exceeded) -> Bool {
        try allowance.spend(on: .comparing)
        switch (self, other) {
        case (.integer(let left), .number(let right)), (.number(let right), .integer(let left)):
            return Double(left) == right && Int64(exactly: right) == Int64(left)
        case (.string(let left), .string(let right)):
            guard left.count == right.count else { return false }
            try allowance.spend(left.count / 64, on: .comparing)
            return left == right
        case (.table(let left), .table(let right)):
            guard left.array.count == right.array.count, left.fields.count == right.fields.count else { return false }
            for (left, right) in zip(left.array, right.array) {
                guard try left.equals(right, spending: allowance) else { return false }
            }
            let pairs = TablePairs(left, right)
            for (place, field) in left.fields.enumerated() {
                guard let value = pairs.right(place), try field.value.equals(value, spending: allowance) else {
                    return false
                }
            }
            return true
        default:
            return self == other
        }
    }
}

/// The fields of a table beside those of another. Tables from Lua have their fields in order, so most stand at the same
/// place; the others are found by hashing.
final class TablePairs {
    private let left: LuaTable
    private let right: LuaTable
    private lazy var index = LuaTable.FieldIndex(right)

    init(_ left: LuaTable, _ right: LuaTable) {
        self.left = left
        self.right = right
    }

    /// The other table's value for the key at a place of this one; nil when it has none.
    func right(_ place: Int) -> LuaValue? {
        let key = left.fields[place].key
        if place < right.fields.count, right.fields[place].key == key { return right.fields[place].value }
        return index[key]
    }
}

/// Where two values differ, as text of a few lines.
struct LuaDifferences {
    /// More lines are counted, not shown.
    private static let mostLines = 20
    /// A longer path is cut.
    private static let longestPath = 200

    private var lines: [String] = []
    private var count = 0
    private let allowance: Allowance

    /// Compares two values.
    ///
    /// - Parameters:
    ///   - actual: What there is.
    ///   - expected: What it should be equal to.
    ///   - allowance: What the comparison may use.
    /// - Throws: `Allowance.Exceeded` when the allowance ran out.
    init(_ actual: LuaValue, _ expected: LuaValue, spending allowance: Allowance) throws(Allowance.Exceeded) {
        self.allowance = allowance
        try collect(actual, expected, at: "")
    }

    /// Lines such as `  at account.paths[1]: got "a", expected "b"`, each after a line break; empty when the two are equal.
    var text: String {
        lines.map { "\n  \($0)" }.joined() + (count > lines.count ? "\n  and \(count - lines.count) more" : "")
    }

    private mutating func collect(_ actual: LuaValue, _ expected: LuaValue, at path: String) throws(Allowance.Exceeded)
    {
        guard case .table(let left) = actual, case .table(let right) = expected else {
            if try !actual.equals(expected, spending: allowance) { note(actual, expected, at: path) }
            return
        }
        try allowance.spend(on: .comparing)
        for index in 0..<max(left.array.count, right.array.count) {
            let got = index < left.array.count ? left.array[index] : .nil
            let wanted = index < right.array.count ? right.array[index] : .nil
            try collect(got, wanted, at: inner(path, "[\(index + 1)]"))
        }
        let forth = TablePairs(left, right)
        for (place, field) in left.fields.enumerated() {
            try collect(field.value, forth.right(place) ?? .nil, at: inner(path, name(of: field.key)))
        }
        let back = TablePairs(right, left)
        for (place, field) in right.fields.enumerated() where back.right(place) == nil {
            try collect(.nil, field.value, at: inner(path, name(of: field.key)))
        }
    }

    private mutating func note(_ actual: LuaValue, _ expected: LuaValue, at path: String) {
        count += 1
        guard lines.count < Self.mostLines else { return }
        lines.append("at \(path.isEmpty ? "the top" : path): got \(actual.literal), expected \(expected.literal)")
    }

    private func name(of key: LuaValue) -> String {
        guard case .string(let name) = key, let text = name.text else { return "[\(key.literal)]" }
        return text.shortened(toBytes: Self.longestPath)
    }

    /// The path of a value within another. Nothing when no more lines are shown, so that no text is made for each value.
    private func inner(_ path: String, _ name: String) -> String {
        guard lines.count < Self.mostLines, path.utf8.count < Self.longestPath else { return path }
        return path.isEmpty || name.hasPrefix("[") ? path + name : "\(path).\(name)"
    }
}
