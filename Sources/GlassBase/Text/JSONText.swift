extension String {
    /// Appends a text as a JSON string with quotes (RFC 8259 §7). O(*n*).
    ///
    /// Also escapes invisible characters, which a parser reads as the same text.
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

    /// This text as a JSON string with quotes.
    package var jsonLiteral: String {
        var result = ""
        result.appendJSON(self)
        return result
    }

    /// This JSON document with the invisible characters in its strings escaped. Control characters below U+0020 occur
    /// only between values, where the others cannot; there, all but line feeds become spaces.
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

    /// Appends `\u` and four digits for each UTF-16 code unit.
    private mutating func appendJSONEscape(of scalar: Unicode.Scalar) {
        for unit in scalar.utf16 {
            let digits = String(unit, radix: 16)
            self += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}
