import GlassSchema
import LuaBridge

/// Characters that are not part of Lua.
extension LuaTokenText {
    /// The mistake in the character at which Lua stopped.
    var mistakeOfCharacter: LuaSyntaxMistake? {
        // Lua may have read on: the invalid character is in the token itself or right before it.
        guard let token = [token(0), token(-1)].compactMap(\.self).first(where: { $0.kind == .invalid }) else {
            return nil
        }
        let start = String(decoding: bytes[token.range.lowerBound...].prefix(4), as: UTF8.self)
        guard let scalar = start.unicodeScalars.first else { return nil }
        switch scalar {
        case "\0":
            return LuaSyntaxMistake(
                at: token, "there is a NUL character here", hint: "save the file as UTF-8 text without it",
                edits: replacing(scalar, with: ""))
        case _ where Self.quotes.contains(scalar):
            return LuaSyntaxMistake(
                at: token, "\(scalar) is a typographic quote; Lua uses straight ones",
                hint: "write \" at both ends of the string", edits: quoting(token, scalar))
        case "\"", "'": return unclosedString(token)
        case "!": return negation(token)
        case "`":
            return LuaSyntaxMistake(
                at: token, "` is not a quote in Lua", hint: "write \" at both ends of the string",
                edits: quoting(token, scalar))
        case _ where scalar.properties.isWhitespace:
            return LuaSyntaxMistake(
                at: token, "Lua does not treat this character as white space: \(Self.name(of: scalar))",
                hint: "write a plain space", edits: replacing(scalar, with: " "))
        case _ where scalar.properties.generalCategory == .format:
            return LuaSyntaxMistake(
                at: token, "there is an invisible character here: \(Self.name(of: scalar))", hint: "delete it",
                edits: replacing(scalar, with: ""))
        case _ where !scalar.isASCII && Self.isPartOfWord(scalar):
            let (word, start) = word(around: token)
            return LuaSyntaxMistake(
                at: start, "the letter \(scalar) is not allowed in a name: use the letters a to z, digits and _",
                hint: "use another name, or for a key [\"\(word)\"]")
        case _ where scalar.properties.numericType != nil: return malformedNumber(token)
        case "\\": return LuaSyntaxMistake(at: token, nil, hint: "put the string in quotes")
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

    private func malformedNumber(_ token: LuaToken) -> LuaSyntaxMistake {
        let written = text(of: token)
        let number = written.prefix { $0.isNumber || $0 == "." }
        let unit = written.dropFirst(number.count)
        guard !unit.isEmpty, unit.allSatisfy(\.isLetter), Double(number) != nil else {
            return LuaSyntaxMistake(
                at: token, nil, hint: "put it in quotes: \"\(written)\"",
                edits: [replacing(token, with: "\"\(written)\"")])
        }
        var mistake = LuaSyntaxMistake(
            at: token, "a number cannot have a unit", hint: "write \(number)",
            edits: [replacing(token, with: String(number))])
        mistake.isUnambiguous = isUnitOfKey(unit, of: token)
        return mistake
    }

    private func negation(_ token: LuaToken) -> LuaSyntaxMistake {
        let isUnequal = bytes[token.range.upperBound...].first == UInt8(ascii: "=") || text(of: token).hasPrefix("!=")
        guard isUnequal else {
            return LuaSyntaxMistake(
                at: token, "! is not a Lua operator", hint: "write not",
                edits: [spaced("not", for: token.range.lowerBound..<token.range.lowerBound + 1)])
        }
        let signs = bytes[token.range.lowerBound...].dropFirst().prefix(2).prefix { $0 == UInt8(ascii: "=") }
        return LuaSyntaxMistake(
            at: token, "!= is not a Lua operator", hint: "write ~=",
            edits: [Correction.Edit(token.range.lowerBound..<signs.endIndex, "~=")])
    }

    /// Analyzes a string that is not closed, or one with an escape that Lua does not have.
    private func unclosedString(_ token: LuaToken) -> LuaSyntaxMistake? {
        let quote = text(of: token).prefix(1)
        let body = bytes[token.range.lowerBound...].dropFirst().prefix { $0 != UInt8(ascii: "\n") }
        var escaped = false
        for byte in body {
            if escaped {
                escaped = false
            } else if byte == UInt8(ascii: "\\") {
                escaped = true
            } else if byte == quote.utf8.first {
                // The string is closed, so Lua rejects its content.
                return LuaSyntaxMistake(
                    at: token, nil, hint: "for a backslash write \\\\", edits: doublingBackslashes(of: token))
            }
        }
        return LuaSyntaxMistake(
            at: token, "the string that begins here is not closed on its line", hint: "write \(quote) at its end")
    }

    /// The letters around an invalid token, and the token with which they begin.
    private func word(around token: LuaToken) -> (text: String, start: LuaToken) {
        guard var first = tokens.firstIndex(where: { $0.range == token.range }) else { return (text(of: token), token) }
        var last = first
        func isLetter(_ index: Int) -> Bool { tokens[index].name != nil || tokens[index].kind == .invalid }
        while first > 0, isLetter(first - 1), touches(tokens[first - 1], tokens[first]) { first -= 1 }
        while last + 1 < tokens.count, isLetter(last + 1), touches(tokens[last], tokens[last + 1]) { last += 1 }
        let range = tokens[first].range.lowerBound..<tokens[last].range.upperBound
        return (String(decoding: bytes[range], as: UTF8.self), tokens[first])
    }
}
