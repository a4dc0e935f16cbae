extension String {
    /// The text for an attribute in double or single quotes, or for an element, of an XML 1.0 document. O(*n*).
    ///
    /// What cannot be seen is a character reference, which a parser reads as the same character; what no document can
    /// have, not even so (XML 1.0 §2.2), is written out: `\u{1b}`.
    package var xmlText: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&apos;"
            // Parsers turn these into spaces or line feeds where they stand as they are (§2.11, §3.3.3).
            case "\n", "\r", "\t": text += "&#\(scalar.value);"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: text += scalar.escape
            case _ where scalar.needsEscape: text += "&#\(scalar.value);"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
