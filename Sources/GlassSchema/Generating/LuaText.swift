import GlassBase

// Names, strings, numbers, and values as Lua source that evaluates to them (manual §3.1, §3.4.9).

extension ConfigurationValue {
    /// The value as Lua code for a market file, on one line, with keys in byte order.
    package var sourceText: String {
        switch self {
        case .boolean(let flag): return "\(flag)"
        case .integer(let number): return number.luaNumber
        case .number(let number): return number.luaNumber
        case .string(let text): return text.luaLiteral
        case .secret(let secret): return "secret \(secret.name.luaLiteral)"
        case .emptyTable: return "{}"
        // A function has no text, and a directive is only part of a file.
        case .opaque, .directive, .varied: return found
        case .list(let nodes):
            return nodes.isEmpty ? "{}" : "{ \(nodes.map(\.value.sourceText).joined(separator: ", ")) }"
        case .map(let entries):
            guard !entries.isEmpty else { return "{}" }
            let fields = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { key, node in
                "\(key.luaKey) = \(node.value.sourceText)"
            }
            return "{ \(fields.joined(separator: ", ")) }"
        }
    }
}

extension String {
    /// The text as a Lua string in double quotes: invisible characters are escaped, everything else stays UTF-8.
    package var luaLiteral: String {
        var text = "\""
        for scalar in unicodeScalars { text.appendLua(scalar) }
        return text + "\""
    }

    /// Appends a character of a Lua string in double quotes.
    package mutating func appendLua(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": self += "\\\""
        case "\\": self += "\\\\"
        case _ where scalar.needsEscape: self += scalar.escape
        default: unicodeScalars.append(scalar)
        }
    }

    /// Whether the text can be a name in Lua, such as a key without quotes: letters, digits and underscores, and no
    /// keyword.
    package var isLuaName: Bool { followsDot && !isLuaKeyword }

    /// Whether the text is a word that Lua reserves.
    package var isLuaKeyword: Bool { Self.luaKeywords.contains(self) }

    /// The text as a key in a Lua table: `name`, or `["another name"]`.
    package var luaKey: String { isLuaName ? self : "[\(luaLiteral)]" }

    private static let luaKeywords: Set = [
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
        "not", "or", "repeat", "return", "then", "true", "until", "while",
    ]
}

extension Double {
    /// The number in Lua: the shortest digits that are read as this number, always with a point or an exponent, so that
    /// it stays a float.
    package var luaNumber: String {
        if isNaN { return "0/0" }
        if isInfinite { return self < 0 ? "-math.huge" : "math.huge" }
        return "\(self)"
    }
}

extension FixedWidthInteger {
    /// The number in Lua, which reads the digits of the smallest integer as a float before it applies the sign.
    package var luaNumber: String { Int64(exactly: self) == .min ? "math.mininteger" : "\(self)" }
}
