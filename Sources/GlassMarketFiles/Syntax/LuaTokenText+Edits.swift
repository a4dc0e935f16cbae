import GlassSchema
import LuaBridge

/// The edits that replace a mistake. If it is not certain what was meant, there are none.
extension LuaTokenText {
    // MARK: Tokens

    func replacing(_ token: LuaToken, with text: String) -> Correction.Edit { Correction.Edit(token.range, text) }

    /// A word in place of a sign. Unlike the sign, it needs white space around it.
    func spaced(_ word: String, for range: Range<Int>) -> Correction.Edit {
        let before = range.lowerBound > 0 && bytes[range.lowerBound - 1].isOfWord ? " " : ""
        let after = range.upperBound < bytes.count && !bytes[range.upperBound].isSpace ? " " : ""
        return Correction.Edit(range, before + word + after)
    }

    /// One sign or word in place of two signs that touch.
    func joining(_ first: LuaToken?, _ second: LuaToken, as text: String) -> [Correction.Edit] {
        guard let first, touches(first, second) else { return [] }
        let range = first.range.lowerBound..<second.range.upperBound
        return [text.utf8.allSatisfy(\.isOfWord) ? spaced(text, for: range) : Correction.Edit(range, text)]
    }

    // MARK: Assignments

    /// `=` in place of a colon after a key.
    func assigning(_ key: LuaToken, _ colon: LuaToken, next: LuaToken?) -> [Correction.Edit] {
        let sign = (touches(key, colon) ? " " : "") + "=" + (touches(colon, next) ? " " : "")
        let name = key.isString ? [replacing(key, with: bracketed(key))] : []
        return name + [replacing(colon, with: sign)]
    }

    /// `= VALUE` in place of the two signs at the token, if they follow a variable that is a single name, and precede
    /// an operand of at most one token: with a longer operand, the value could be another one than was meant.
    func assigning(_ value: String, withOperand: Bool = false) -> [Correction.Edit] {
        guard let variable = token(-1), variable.name != nil, let second = token(1), touches(token, second) else {
            return []
        }
        if let before = token(-2), before.is(.dot) || before.is(.colon) || before.is(.comma) { return [] }
        var last = second
        if withOperand {
            guard let operand = token(2), operand.endsValue, operand.line == token.line else { return [] }
            if case .symbol = operand.kind { return [] }
            last = operand
        }
        guard let next = token(withOperand ? 3 : 2), endsStatement(next, behind: last) else { return [] }
        let range = token.range.lowerBound..<second.range.upperBound
        let before = touches(variable, token) ? " " : ""
        let after = withOperand && touches(second, token(2)) ? " " : ""
        return [Correction.Edit(range, "\(before)= \(value)\(after)")]
    }

    private func endsStatement(_ next: LuaToken, behind last: LuaToken) -> Bool {
        switch next.kind {
        case .endOfFile, .symbol(.semicolon), .keyword(.end), .keyword(.else), .keyword(.elseif), .keyword(.until): true
        case .name, .keyword(.local), .keyword(.return), .keyword(.if), .keyword(.for), .keyword(.while),
            .keyword(.function), .keyword(.repeat), .keyword(.do):
            next.line > last.endLine
        default: false
        }
    }

    /// `a = { b = VALUE }` for `a.b = VALUE`.
    func nesting(from first: Int) -> [Correction.Edit] {
        guard let end = LuaTokens(bytes, tokens).endOfValue(from: index + 1) else { return [] }
        let dots = tokens[first..<index].filter { $0.is(.dot) }
        let place = tokens[end].range.upperBound
        return dots.map { replacing($0, with: " = { ") }
            + [Correction.Edit(place..<place, String(repeating: " }", count: dots.count))]
    }

    /// `{ … }` for `[ … ]`, if the bracket is closed.
    func bracing(_ opening: LuaToken) -> [Correction.Edit] {
        var depth = 0
        for next in tokens[index...] {
            if next.is(.leftBracket) { depth += 1 }
            if next.is(.rightBracket) { depth -= 1 }
            if depth == 0 { return [replacing(opening, with: "{"), replacing(next, with: "}")] }
        }
        return []
    }

    // MARK: Comments

    /// `--` for the comment sign of another language.
    func commenting(_ sign: LuaToken) -> Correction.Edit {
        // `--[` could start a long comment.
        let isBracket = bytes[sign.range.upperBound...].first == UInt8(ascii: "[")
        return replacing(sign, with: isBracket ? "-- " : "--")
    }

    /// `--[[ … ]]` for a comment in C style, if it is closed and does not contain `]]`.
    func bracketingComment(_ sign: LuaToken) -> [Correction.Edit] {
        let start = sign.range.lowerBound
        var index = start + 2
        while index + 1 < bytes.count {
            if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
                return [Correction.Edit(start..<start + 2, "--[["), Correction.Edit(index..<index + 2, "]]")]
            }
            if bytes[index] == UInt8(ascii: "]"), bytes[index + 1] == UInt8(ascii: "]") { return [] }
            index += 1
        }
        return []
    }

    // MARK: Characters

    /// A text in place of a character, wherever Lua cannot read it.
    func replacing(_ scalar: Unicode.Scalar, with text: String) -> [Correction.Edit] {
        let written = Array(String(Character(scalar)).utf8)
        return tokens.filter { $0.kind == .invalid && bytes[$0.range].starts(with: written) }.map {
            Correction.Edit($0.range.lowerBound..<$0.range.lowerBound + written.count, text)
        }
    }

    /// Straight quotes around a string in other quotes, if it is closed on its line and contains nothing that straight
    /// quotes would change.
    func quoting(_ token: LuaToken, _ opening: Unicode.Scalar) -> [Correction.Edit] {
        let start = token.range.lowerBound
        let rest = bytes[start...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let closing = Self.closings[opening] ?? [opening]
        var place = start + String(Character(opening)).utf8.count
        let first = start..<place
        for scalar in String(decoding: rest[place...], as: UTF8.self).unicodeScalars {
            let end = place + String(Character(scalar)).utf8.count
            if closing.contains(scalar) {
                // Within a word it is an apostrophe.
                let isEnd = end >= bytes.count || !bytes[end].isOfWord
                return isEnd ? [Correction.Edit(first, "\""), Correction.Edit(place..<end, "\"")] : []
            }
            if scalar == "\"" || scalar == "\\" { return [] }
            place = end
        }
        return []
    }

    /// The closing quotes for each typographic opening quote, as different languages use them.
    private static let closings: [Unicode.Scalar: Set<Unicode.Scalar>] = [
        "“": ["”", "“"], "”": ["”"], "„": ["“", "”"], "‟": ["”"], "‘": ["’", "‘"], "’": ["’"], "‚": ["‘", "’"],
        "‛": ["’"], "«": ["»"], "»": ["«"], "‹": ["›"], "›": ["‹"],
    ]

    /// A second backslash for each one in a string, if none of them begins an escape in Lua.
    func doublingBackslashes(of token: LuaToken) -> [Correction.Edit] {
        var edits: [Correction.Edit] = []
        var index = token.range.lowerBound
        while index + 1 < token.range.upperBound {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            let next = bytes[index + 1]
            // A backslash before a quote or another backslash is a valid escape already.
            if next != UInt8(ascii: "\\"), next != UInt8(ascii: "\""), next != UInt8(ascii: "'") {
                if Self.escapes.contains(next) { return [] }
                edits.append(Correction.Edit(index..<index, "\\"))
            }
            index += 2
        }
        return edits
    }

    /// The characters that form an escape with a backslash before them (manual §3.1).
    private static let escapes = Set("abfnrtvxzu0123456789\n\r".utf8)

    /// Whether the name of the key ends with the unit, so that the number means the same without it.
    func isUnitOfKey(_ unit: Substring, of token: LuaToken) -> Bool {
        guard let index = tokens.firstIndex(where: { $0.range == token.range }), index > 1,
            tokens[index - 1].is(.assign),
            let key = tokens[index - 2].name, let word = Self.units[unit.lowercased()]
        else { return false }
        return key.hasSuffix(word)
    }

    private static let units = [
        "s": "Seconds", "sec": "Seconds", "ms": "Milliseconds", "min": "Minutes", "h": "Hours", "d": "Days",
        "kb": "Kilobytes", "mb": "Megabytes", "gb": "Gigabytes",
    ]
}

extension UInt8 {
    /// Whether it can be part of a name in Lua.
    var isOfWord: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether Lua treats it as white space.
    var isSpace: Bool { self == UInt8(ascii: " ") || (0x09...0x0D).contains(self) }
}
