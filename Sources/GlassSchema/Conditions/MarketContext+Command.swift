extension MarketContext {
    /// The attributes as a command takes them: `build=debug,locale=fr-CA`.
    package var commandText: String {
        values.sorted { $0.key < $1.key }.map {
            "\($0.key)=\(Self.escaped(ContextAttribute.commandText(of: $0.value)))"
        }
        .joined(separator: ",")
    }

    /// The names and texts of the attributes that a command takes: the inverse of ``commandText``.
    ///
    /// A comma ends an attribute, unless a backslash precedes it. Spaces around a name are ignored.
    ///
    /// - Returns: The attributes in the order of the text; nil if one has no name or no equals sign.
    package static func attributes(inCommandText text: String) -> [(name: String, text: String)]? {
        var attributes: [(name: String, text: String)] = []
        for part in parts(of: text) where !part.allSatisfy({ $0 == " " }) {
            guard let sign = part.firstIndex(of: "=") else { return nil }
            let name = part[..<sign].filter { $0 != " " }
            guard !name.isEmpty else { return nil }
            attributes.append((name, String(part[part.index(after: sign)...])))
        }
        return attributes
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if character == "," || character == "\\" { escaped.append("\\") }
            escaped.append(character)
        }
        return escaped
    }

    /// The parts between commas, without the backslashes of escapes.
    private static func parts(of text: String) -> [String] {
        var parts = [""]
        var isEscaped = false
        for character in text {
            if !isEscaped, character == "\\" {
                isEscaped = true
                continue
            }
            if !isEscaped, character == "," {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
            isEscaped = false
        }
        return parts
    }
}
