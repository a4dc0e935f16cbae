import GlassBase
import GlassSchema
import LuaBridge
import LuaSyntax

extension LuaValue {
    /// The value as Lua source that evaluates to it: a table on one line, or on several if it is too long for one. A
    /// value that Lua cannot write, such as a function, is `nil` with a comment that describes it, and so is everything
    /// beyond 256 KB.
    var source: String {
        var writer = LuaSourceWriter()
        writer.write(self, indent: 0)
        return writer.text
    }
}

/// Writes values as Lua (manual §3.1, §3.4.9).
private struct LuaSourceWriter {
    private static let maximumBytes = 256 * 1024
    private static let width = 100

    private(set) var text = ""
    /// The offset at which a line that is only tried out must end; nil if there is room for more lines.
    private var lineEnd: Int?

    private var isFull: Bool { text.utf8.count > Self.maximumBytes }
    private var isTooLong: Bool { lineEnd.map { text.utf8.count > $0 } ?? false }

    mutating func write(_ value: LuaValue, indent: Int) {
        switch value {
        case .nil: text += "nil"
        case .boolean(let flag): text += "\(flag)"
        case .integer(let number): text += number.luaNumber
        case .number(let number): text += number.luaNumber
        case .string(let string): write(string)
        case .table(let table): write(table, indent: indent)
        case .function: text += "nil --[[ a function ]]"
        case .object(let object): text += "nil --[[ an object: \(object.type.name) ]]"
        case .coroutine: text += "nil --[[ a coroutine ]]"
        case .opaque(.userdata): text += "nil --[[ an object ]]"
        }
    }

    private mutating func write(_ string: LuaString) {
        text += "\""
        if let characters = string.text {
            for scalar in characters.unicodeScalars {
                if isFull { break }
                text.appendLua(scalar)
            }
        } else {
            for byte in string.bytes {
                if isFull { break }
                if byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                    text.unicodeScalars.append(Unicode.Scalar(byte))
                } else {
                    writeByte(byte)
                }
            }
        }
        text += "\""
        if isFull { text += " --[[ cut ]]" }
    }

    /// Writes three digits, so that a digit after them is not read as a part of the escape.
    private mutating func writeByte(_ byte: UInt8) {
        let digits = String(byte)
        text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }

    private mutating func write(_ table: LuaTable, indent: Int) {
        guard !table.isEmpty else {
            text += "{}"
            return
        }
        if lineEnd == nil, !isFull {
            // On one line, if everything fits.
            let start = text.utf8.count
            lineEnd = text.utf8.count + max(0, Self.width - indent)
            writeElements(of: table, separator: " ", end: " ", indent: indent)
            let isTooLong = isTooLong
            lineEnd = nil
            guard isTooLong else { return }
            text.removeSubrange(text.utf8.index(text.startIndex, offsetBy: start)...)
        } else if lineEnd != nil {
            return writeElements(of: table, separator: " ", end: " ", indent: indent)
        }
        let padding = "\n" + String(repeating: " ", count: min(indent, 80) + 2)
        writeElements(of: table, separator: padding, end: "," + padding.dropLast(2), indent: indent + 2)
    }

    private mutating func writeElements(of table: LuaTable, separator: String, end: some StringProtocol, indent: Int) {
        text += "{"
        var written = 0
        func next() -> String { (written == 0 ? "" : ",") + separator }
        for element in table.array where !isFull && !isTooLong {
            text += next()
            write(element, indent: indent)
            written += 1
        }
        for field in table.fields where !isFull && !isTooLong {
            text += next()
            write(key: field.key)
            text += " = "
            write(field.value, indent: indent)
            written += 1
        }
        if isFull, written < table.count { text += ", --[[ \(table.count - written) more ]]" }
        text += end + "}"
    }

    private mutating func write(key: LuaValue) {
        if let name = key.stringValue, name.isLuaName {
            text += name
            return
        }
        text += "["
        write(key, indent: 0)
        text += "]"
    }
}
