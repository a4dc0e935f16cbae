extension Unicode.Scalar {
    /// Whether a terminal, an editor or a log viewer may do anything other than show this character: execute it, start
    /// a line, change the direction of the surrounding text, or show nothing.
    ///
    /// These are control characters (C0, DEL, C1), line and paragraph separators, directional formatting characters
    /// (Unicode Standard Annex #9, 2.1–2.6 and the marks), and characters without a shape: soft hyphens, zero-width
    /// spaces, byte order marks, invisible operators, interlinear annotations, deprecated format characters and tags.
    /// The joiners U+200C and U+200D and variation selectors are kept, because words and emoji are written with them.
    package var needsEscape: Bool {
        switch value {
        case 0x20...0x7E: false
        case ...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x180E, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F,
            0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    /// The character as a visible escape: `\n`, `\t`, `\r`, or `\u{1b}`.
    package var escape: String {
        switch self {
        case "\n": "\\n"
        case "\t": "\\t"
        case "\r": "\\r"
        default: "\\u{\(String(value, radix: 16))}"
        }
    }
}

extension String {
    /// The text with invisible characters escaped. O(*n*); a text without any is not copied.
    func escaped(keepingLines: Bool) -> String {
        func isKept(_ scalar: Unicode.Scalar) -> Bool {
            !scalar.needsEscape || keepingLines && (scalar == "\n" || scalar == "\t")
        }
        if unicodeScalars.allSatisfy(isKept) { return self }
        var text = ""
        for scalar in unicodeScalars {
            if isKept(scalar) { text.unicodeScalars.append(scalar) } else { text += scalar.escape }
        }
        return text
    }
}
