extension String {
    /// Appends a text as a JSON string with its quotes (RFC 8259 §7). Complexity: O(*n*).
    package mutating func appendJSON(_ text: String) {
        self += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": self += "\\\""
            case "\\": self += "\\\\"
            case "\n": self += "\\n"
            case "\r": self += "\\r"
            case "\t": self += "\\t"
            case _ where scalar.value < 0x20:
                self += scalar.value < 0x10 ? "\\u000" : "\\u00"
                self += String(scalar.value, radix: 16)
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
}
