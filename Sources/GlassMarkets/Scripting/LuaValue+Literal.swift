import GlassSchema
import LuaBridge

extension LuaValue {
    /// Whether two values are the same to a script: numbers by value, tables by content, everything else by identity.
    ///
    /// - Parameter other: The other value.
    /// - Returns: True when they are. Linear in the size of the tables.
    func equals(_ other: LuaValue) -> Bool {
        switch (self, other) {
        case (.integer(let left), .number(let right)), (.number(let right), .integer(let left)):
            return Double(left) == right && Int64(exactly: right) == Int64(left)
        case (.table(let left), .table(let right)):
            return left.array.count == right.array.count && left.fields.count == right.fields.count
                && zip(left.array, right.array).allSatisfy { $0.equals($1) }
                && left.fields.allSatisfy { field in right[field.key].map { field.value.equals($0) } ?? false }
        default:
            return self == other
        }
    }

    /// Where two tables differ, a line each, each after a line break; at most a few lines.
    ///
    /// - Parameter expected: What this value should be equal to.
    /// - Returns: Lines such as `  at account.paths[1]: got "a", expected "b"`; empty when they are equal.
    func differences(from expected: LuaValue) -> String {
        var lines: [String] = []
        collectDifferences(from: expected, at: "", into: &lines)
        let most = 20
        let shown = lines.prefix(most).map { "\n  \($0)" }.joined()
        return lines.count > most ? "\(shown)\n  and \(lines.count - most) more" : shown
    }

    private func collectDifferences(from expected: LuaValue, at path: String, into lines: inout [String]) {
        guard case .table(let actual) = self, case .table(let wanted) = expected else {
            if !equals(expected) {
                lines.append("at \(path.isEmpty ? "the top" : path): got \(literal), expected \(expected.literal)")
            }
            return
        }
        for index in 0..<max(actual.array.count, wanted.array.count) {
            let (got, want) = (actual.array[safe: index] ?? .nil, wanted.array[safe: index] ?? .nil)
            got.collectDifferences(from: want, at: "\(path)[\(index + 1)]", into: &lines)
        }
        let keys = (actual.fields + wanted.fields).map(\.key)
        var seen: [String] = []
        for key in keys {
            let name = key.stringValue ?? "[\(key.literal)]"
            guard !seen.contains(name) else { continue }
            seen.append(name)
            let inner = path.isEmpty || name.hasPrefix("[") ? path + name : "\(path).\(name)"
            (actual[key] ?? .nil).collectDifferences(from: wanted[key] ?? .nil, at: inner, into: &lines)
        }
    }

    /// The value as Lua would write it, on one line, shortened past a few hundred characters.
    var literal: String {
        let text = literal(depth: 0)
        return text.count > 400 ? text.prefix(400) + "…" : text
    }

    /// The value as Lua would write it, a table that is too long for a line on several.
    var prettyLiteral: String { prettyLiteral(indent: 0) }

    private func prettyLiteral(indent: Int) -> String {
        let line = literal(depth: 0)
        guard case .table(let table) = self, line.count + indent > 100 || line.contains("…"), indent < 40 else {
            return line
        }
        let padding = String(repeating: " ", count: indent + 2)
        let items =
            table.array.map { $0.prettyLiteral(indent: indent + 2) }
            + table.fields.map { field in
                let name = field.key.stringValue.flatMap { StringFormat.identifier.matches($0) ? $0 : nil }
                return "\(name ?? "[\(field.key.literal)]") = \(field.value.prettyLiteral(indent: indent + 2))"
            }
        let most = 200
        let more = items.count > most ? ["… \(items.count - most) more"] : []
        let body = (items.prefix(most) + more).map { "\n\(padding)\($0)," }.joined()
        return "{\(body)\n\(String(repeating: " ", count: indent))}"
    }

    private func literal(depth: Int) -> String {
        switch self {
        case .nil: return "nil"
        case .boolean(let flag): return "\(flag)"
        case .integer(let number): return "\(number)"
        case .number(let number): return "\(number)"
        case .string(let string): return string.text?.quotedForMessage ?? "a text that is not UTF-8"
        case .table(let table):
            guard depth < 4 else { return "{…}" }
            if table.array.count == table.count {
                return table.isEmpty
                    ? "{}" : "{ \(table.array.map { $0.literal(depth: depth + 1) }.joined(separator: ", ")) }"
            }
            let fields = table.entries.map { entry in
                let name = entry.key.stringValue ?? "[\(entry.key.literal(depth: depth + 1))]"
                return "\(name) = \(entry.value.literal(depth: depth + 1))"
            }
            return "{ \(fields.joined(separator: ", ")) }"
        case .function: return "a function"
        default: return "an object"
        }
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

extension [UInt8] {
    /// Whether a run of bytes occurs in these.
    func contains(_ part: [UInt8]) -> Bool {
        guard !part.isEmpty else { return true }
        guard part.count <= count else { return false }
        return (0...(count - part.count)).contains { self[$0..<($0 + part.count)].elementsEqual(part) }
    }
}
