import GlassSchema
package import LuaBridge

extension LuaValue {
    /// The value in Lua syntax, on one line, shortened after a few hundred characters. O(1).
    package var literal: String {
        var line = LiteralLine(limit: 400)
        line.write(self)
        return line.text
    }
}

/// A value on one line, written until the line is full.
private struct LiteralLine {
    private let limit: Int
    private var written = ""
    private var count = 0
    init(limit: Int) { self.limit = limit }

    var text: String {
        count > limit ? String(String.UnicodeScalarView(written.unicodeScalars.prefix(limit))) + "…" : written
    }

    private var isFull: Bool { count > limit }

    private mutating func write(_ text: String) {
        written += text
        count += text.unicodeScalars.count
    }

    mutating func write(_ value: LuaValue, depth: Int = 0) {
        guard !isFull else { return }
        switch value {
        case .nil: write("nil")
        case .boolean(let flag): write("\(flag)")
        case .integer(let number): write("\(number)")
        case .number(let number): write(number.written)
        case .string(let string): write(quoted(string))
        case .table(let table): write(table, depth: depth)
        case .function: write("a function")
        default: write("an object")
        }
    }

    private func quoted(_ string: LuaString) -> String {
        // One more than fits, so that a longer text fills the line.
        string.text?.shortened(toBytes: 4 * (limit + 1)).quotedForMessage ?? "a text that is not UTF-8"
    }

    private mutating func write(_ table: LuaTable, depth: Int) {
        guard depth < 4 else { return write("{…}") }
        guard !table.isEmpty else { return write("{}") }
        let isList = table.array.count == table.count
        write("{ ")
        for (offset, element) in table.array.enumerated() {
            guard !isFull else { return }
            if offset > 0 { write(", ") }
            if !isList { write("[\(offset + 1)] = ") }
            write(element, depth: depth + 1)
        }
        for (offset, field) in table.fields.enumerated() {
            guard !isFull else { return }
            if offset > 0 || !table.array.isEmpty { write(", ") }
            if case .string(let name) = field.key, let text = name.text {
                write(text.shortened(toBytes: 4 * (limit + 1)).luaKey)
            } else {
                write("[")
                write(field.key, depth: depth + 1)
                write("]")
            }
            write(" = ")
            write(field.value, depth: depth + 1)
        }
        write(" }")
    }
}

extension String {
    /// The text, or its first bytes followed by `…`, cut between two Unicode scalars.
    func shortened(toBytes most: Int) -> String {
        guard utf8.count > most else { return self }
        var end = utf8.index(startIndex, offsetBy: most)
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return self[..<end] + "…"
    }
}
