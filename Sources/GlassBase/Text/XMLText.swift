extension String {
    /// The text, escaped for an attribute in double or single quotes, or for an element, of an XML 1.0 document.
    /// O(*n*).
    ///
    /// Invisible characters become character references, which a parser reads as the same characters. Characters that
    /// no document may contain, not even as references (XML 1.0 §2.2), become escapes such as `\u{1b}`.
    package var xmlText: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&apos;"
            // Without the reference, parsers turn these into spaces or line feeds (§2.11, §3.3.3).
            case "\n", "\r", "\t": text += "&#\(scalar.value);"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: text += scalar.escape
            case _ where scalar.needsEscape: text += "&#\(scalar.value);"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
