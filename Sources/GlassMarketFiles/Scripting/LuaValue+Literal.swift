import GlassSchema
import LuaBridge

extension LuaValue {
    /// The value as Lua would write it, on one line, shortened past a few hundred characters. O(1).
    var literal: String {
        var line = LiteralLine(limit: 400)
        line.write(self)
        return line.text
    }

    /// The value as Lua would write it, a table that is too long for a line on several. What is longer than 256 KB is cut.
    var prettyLiteral: String {
        var page = LiteralPage(limit: 256 * 1024)
        page.write(self, indent: 0)
        return page.text
    }
}

/// A value on one line, written until the line is full.
private struct LiteralLine {
    private let limit: Int
    private var written = ""
    private var count = 0
    /// Whether something was left out.
    private(set) var isCut = false

    init(limit: Int) { self.limit = limit }

    var text: String {
        count > limit ? String(String.UnicodeScalarView(written.unicodeScalars.prefix(limit))) + "…" : written
    }

    /// Whether the line has no room, or something was left out.
    var isIncomplete: Bool { isCut || isFull }

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
        // One more than there is room for, so that a longer text fills the line.
        string.text?.shortened(toBytes: 4 * (limit + 1)).quotedForMessage ?? "a text that is not UTF-8"
    }

    private mutating func write(_ table: LuaTable, depth: Int) {
        guard depth < 4 else {
            isCut = true
            return write("{…}")
        }
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
                write(text.shortened(toBytes: 4 * (limit + 1)))
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

/// A value on as many lines as it takes, until the page is full.
private struct LiteralPage {
    private static let mostItems = 200

    private let limit: Int
    private var written = ""

    init(limit: Int) { self.limit = limit }

    var text: String { isFull ? written.shortened(toBytes: limit) + "\n… cut after \(limit / 1024) KB" : written }

    private var isFull: Bool { written.utf8.count > limit }

    mutating func write(_ value: LuaValue, indent: Int) {
        guard !isFull else { return }
        guard case .table(let table) = value else {
            var line = LiteralLine(limit: limit)
            line.write(value)
            written += line.text
            return
        }
        var line = LiteralLine(limit: indent < 40 ? max(0, 100 - indent) : 1000)
        line.write(value)
        guard line.isIncomplete, indent < 40 else {
            written += line.text
            return
        }
        let padding = String(repeating: " ", count: indent + 2)
        written += "{"
        for element in table.array.prefix(Self.mostItems) where !isFull {
            written += "\n\(padding)"
            write(element, indent: indent + 2)
            written += ","
        }
        for field in table.fields.prefix(max(0, Self.mostItems - table.array.count)) where !isFull {
            let name = field.key.stringValue.flatMap { StringFormat.identifier.matches($0) ? $0 : nil }
            written += "\n\(padding)\(name ?? "[\(field.key.literal)]") = "
            write(field.value, indent: indent + 2)
            written += ","
        }
        if table.count > Self.mostItems { written += "\n\(padding)… \(table.count - Self.mostItems) more," }
        written += "\n\(String(repeating: " ", count: indent))}"
    }
}

extension String {
    /// The text, or its first bytes with `…` behind, cut between two characters of Unicode.
    ///
    /// - Parameter most: How many bytes of the text are left.
    func shortened(toBytes most: Int) -> String {
        guard utf8.count > most else { return self }
        var end = utf8.index(startIndex, offsetBy: most)
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return self[..<end] + "…"
    }
}
