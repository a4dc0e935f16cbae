import GlassSchema
import LuaSyntax

/// Characters that are not part of Lua.
extension LuaMistakeReader {
    /// The mistake in a token that Lua cannot read.
    func invalidToken(_ index: Int) -> LuaSyntaxMistake? {
        let range = tree.tokens[index].range
        if range.isEmpty { return unfinishedComment }
        // A name is only invalid from its first strange character on.
        let isName = tree.bytes[range.lowerBound].isOfWord && !(0x30...0x39).contains(tree.bytes[range.lowerBound])
        let start =
            isName ? tree.bytes[range].firstIndex { !$0.isOfWord } ?? range.lowerBound : range.lowerBound
        guard
            let scalar = String(decoding: tree.bytes[start...].prefix(4), as: UTF8.self).unicodeScalars.first
        else { return nil }
        switch scalar {
        case "\0":
            return mistake(
                atByte: start, "there is a NUL character here", hint: "save the file as UTF-8 text without it",
                edits: replacing(scalar, with: ""))
        case _ where Self.quotes.contains(scalar):
            return mistake(
                atByte: start, "\(scalar) is a typographic quote; Lua uses straight ones",
                hint: "write \" at both ends of the string", edits: quoting(start, scalar))
        case "\"", "'": return unclosedString(index)
        case "[":
            let signs = tree.bytes[range].dropFirst().prefix { $0 == UInt8(ascii: "=") }.count
            return mistake(
                at: index, "the long string that begins here is not closed",
                hint: "write ]\(String(repeating: "=", count: signs))] at its end")
        case "!": return negation(index)
        case "?": return conditional(index)
        case "`":
            return mistake(
                atByte: start, "` is not a quote in Lua", hint: "write \" at both ends of the string",
                edits: quoting(start, scalar))
        case _ where scalar.properties.isWhitespace:
            return mistake(
                atByte: start, "Lua does not treat this character as white space: \(Self.name(of: scalar))",
                hint: "write a plain space", edits: replacing(scalar, with: " "))
        case _ where scalar.properties.generalCategory == .format:
            return mistake(
                atByte: start, "there is an invisible character here: \(Self.name(of: scalar))", hint: "delete it",
                edits: replacing(scalar, with: ""))
        case _ where !scalar.isASCII && Self.isPartOfWord(scalar):
            return mistake(
                at: index, "the letter \(scalar) is not allowed in a name: use the letters a to z, digits, and _",
                hint: "use another name, or for a key [\"\(tree.text(of: index))\"]")
        case _ where scalar.properties.numericType != nil: return malformedNumber(index)
        case "\\": return mistake(atByte: start, nil, hint: "put the string in quotes")
        default: return nil
        }
    }

    private static let quotes: Set<Unicode.Scalar> = [
        "“", "”", "„", "‟", "‘", "’", "‚", "‛", "«", "»", "‹", "›", "″", "′",
    ]

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
    }

    private static func name(of scalar: Unicode.Scalar) -> String {
        let code = String(scalar.value, radix: 16, uppercase: true)
        let number = "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
        return scalar.properties.name.map { "\($0.lowercased()) (\(number))" } ?? number
    }

    private func malformedNumber(_ index: Int) -> LuaSyntaxMistake {
        let written = tree.text(of: index)
        let number = written.prefix { $0.isNumber || $0 == "." }
        let unit = written.dropFirst(number.count)
        guard !unit.isEmpty, unit.allSatisfy(\.isLetter), Double(number) != nil else {
            return mistake(
                at: index, nil, hint: "put it in quotes: \"\(written)\"",
                edits: [replacing(index, with: "\"\(written)\"")])
        }
        var mistake = mistake(
            at: index, "a number cannot have a unit", hint: "write \(number)",
            edits: [replacing(index, with: String(number))])
        mistake.isUnambiguous = isUnitOfKey(unit, of: index)
        return mistake
    }

    /// Whether the name of the key ends with the unit, so that the number means the same without it.
    private func isUnitOfKey(_ unit: Substring, of index: Int) -> Bool {
        guard tree.kind(at: index - 1) == .assign, let key = name(index - 2), let word = Self.units[unit.lowercased()]
        else {
            return false
        }
        return key.hasSuffix(word)
    }

    private static let units = [
        "s": "Seconds", "sec": "Seconds", "ms": "Milliseconds", "min": "Minutes", "h": "Hours", "d": "Days",
        "kb": "Kilobytes", "mb": "Megabytes", "gb": "Gigabytes",
    ]

    private func negation(_ index: Int) -> LuaSyntaxMistake {
        let range = tree.tokens[index].range
        let signs = tree.bytes[range.lowerBound...].dropFirst().prefix(2).prefix { $0 == UInt8(ascii: "=") }
        guard !signs.isEmpty else {
            return mistake(
                at: index, "! is not a Lua operator", hint: "write not",
                edits: [spaced("not", for: range.lowerBound..<range.lowerBound + 1)])
        }
        return mistake(
            at: index, "!= is not a Lua operator", hint: "write ~=",
            edits: [Correction.Edit(range.lowerBound..<signs.endIndex, "~=")])
    }

    /// A string that is not closed, or one with an escape that Lua does not have.
    private func unclosedString(_ index: Int) -> LuaSyntaxMistake {
        let start = tree.tokens[index].lowerBound
        let quote = tree.bytes[start]
        var escaped = false
        for byte in tree.bytes[(start + 1)...].prefix(while: { $0 != UInt8(ascii: "\n") }) {
            if escaped {
                escaped = false
            } else if byte == UInt8(ascii: "\\") {
                escaped = true
            } else if byte == quote {
                // The string is closed, so Lua rejects its content.
                return mistake(
                    at: index, nil, hint: "for a backslash write \\\\", edits: doublingBackslashes(of: index))
            }
        }
        return mistake(
            at: index, "the string that begins here is not closed on its line",
            hint: "write \(Character(Unicode.Scalar(quote))) at its end")
    }
}
