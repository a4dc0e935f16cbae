import Foundation

extension String {
    /// The text with plain letters for those with accents, as in `Mexico` for `México`. Characters without a plain
    /// letter stay.
    package var foldedToASCII: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        var text = ""
        for scalar in decomposedStringWithCanonicalMapping.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: continue
            default: text += Self.plainLetters[scalar] ?? String(scalar)
            }
        }
        return text
    }

    /// The letters that Unicode does not decompose.
    private static let plainLetters: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D",
        "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ł": "l", "Ł": "L", "ħ": "h", "Ħ": "H", "ı": "i", "’": "'", "‘": "'",
        "–": "-", "—": "-", "\u{A0}": " ", "\u{2011}": "-",
    ]
}
