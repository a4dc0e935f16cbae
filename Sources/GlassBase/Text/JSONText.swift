extension String {
    /// Appends a text as a JSON string with its quotes (RFC 8259 §7). O(*n*).
    ///
    /// What cannot be seen is escaped too, which a parser reads as the same text.
    package mutating func appendJSON(_ text: String) {
        self += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": self += "\\\""
            case "\\": self += "\\\\"
            case "\n": self += "\\n"
            case "\r": self += "\\r"
            case "\t": self += "\\t"
            case _ where scalar.needsEscape: appendJSONEscape(of: scalar)
            default: unicodeScalars.append(scalar)
            }
        }
        self += "\""
    }

    /// This text as a JSON string with its quotes.
    package var jsonLiteral: String {
        var result = ""
        result.appendJSON(self)
        return result
    }

    /// This JSON document with what cannot be seen in its strings as escapes. Controls below U+0020 stand between values
    /// only, where the others may not; what is no line break there becomes a space.
    var escapedJSONDocument: String {
        if !unicodeScalars.contains(where: { $0.needsEscape && $0 != "\n" }) { return self }
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": result += "\n"
            case _ where scalar.value < 0x20: result += " "
            case _ where scalar.needsEscape: result.appendJSONEscape(of: scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Appends `\u` and four digits, twice for what UTF-16 writes as two.
    private mutating func appendJSONEscape(of scalar: Unicode.Scalar) {
        for unit in scalar.utf16 {
            let digits = String(unit, radix: 16)
            self += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}
