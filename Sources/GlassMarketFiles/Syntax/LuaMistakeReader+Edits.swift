import GlassSchema
import LuaSyntax

/// The edits that replace a mistake. If it is not certain what was meant, there are none.
extension LuaMistakeReader {
    // MARK: Tokens

    func replacing(_ index: Int, with text: String) -> Correction.Edit {
        Correction.Edit(tree.tokens[index].range, text)
    }

    func inserting(_ text: String, before index: Int) -> Correction.Edit {
        let byte = tree.tokens[index].lowerBound
        return Correction.Edit(byte..<byte, text)
    }

    func inserting(_ text: String, behind index: Int) -> Correction.Edit {
        let byte = tree.tokens[index].upperBound
        return Correction.Edit(byte..<byte, text)
    }

    /// A word in place of a sign. Unlike the sign, it needs white space around it.
    func spaced(_ word: String, for range: Range<Int>) -> Correction.Edit {
        let before = range.lowerBound > 0 && tree.bytes[range.lowerBound - 1].isOfWord ? " " : ""
        let after = range.upperBound < tree.bytes.count && !tree.bytes[range.upperBound].isSpace ? " " : ""
        return Correction.Edit(range, before + word + after)
    }

    /// One sign or word in place of a sign and the one that touches it.
    func joining(_ index: Int, as text: String) -> [Correction.Edit] {
        guard touchesPrevious(index + 1) else { return [] }
        let range = tree.range(of: index..<index + 2)
        return [text.utf8.allSatisfy(\.isOfWord) ? spaced(text, for: range) : Correction.Edit(range, text)]
    }

    // MARK: Assignments

    /// `=` in place of a colon after a key.
    func assigning(atColon colon: Int) -> [Correction.Edit] {
        let sign = (touchesPrevious(colon) ? " " : "") + "=" + (touchesPrevious(colon + 1) ? " " : "")
        let key = tree.kind(at: colon - 1) == .string ? [replacing(colon - 1, with: bracketed(colon - 1))] : []
        return key + [replacing(colon, with: sign)]
    }

    /// `= VALUE` in place of a sign and the one that touches it, if they follow a variable that is a single name, and
    /// precede an operand of at most one token: with a longer operand, the value could be another one than was meant.
    func assigning(_ value: String, at index: Int, withOperand: Bool = false) -> [Correction.Edit] {
        guard name(index - 1) != nil, touchesPrevious(index + 1),
            ![.dot, .colon, .comma].contains(tree.kind(at: index - 2))
        else { return [] }
        let last = withOperand ? index + 2 : index + 1
        if withOperand {
            guard [.name, .string, .integer, .float, .true, .false, .nil].contains(tree.kind(at: last)),
                tree.position(of: last).line == tree.position(of: index).line
            else { return [] }
        }
        guard endsStatement(last + 1) else { return [] }
        let before = touchesPrevious(index) ? " " : ""
        let after = withOperand && touchesPrevious(last) ? " " : ""
        return [Correction.Edit(tree.range(of: index..<index + 2), "\(before)= \(value)\(after)")]
    }

    private func endsStatement(_ index: Int) -> Bool {
        switch tree.kind(at: index) {
        case .endOfFile, .semicolon, .end, .else, .elseif, .until: true
        case .name, .local, .return, .if, .for, .while, .function, .repeat, .do: tree.tokens[index].startsLine
        default: false
        }
    }

    /// `a = { b = VALUE }` for `a.b = VALUE`.
    func nesting(_ key: Range<Int>, in field: LuaTree.NodeID) -> [Correction.Edit] {
        guard let value = tree.children(of: field).dropFirst().first,
            tree.tokens(of: value).upperBound < tree.tokens.count
        else { return [] }
        let dots = key.filter { tree.kind(at: $0) == .dot }
        return dots.map { replacing($0, with: " = { ") }
            + [inserting(String(repeating: " }", count: dots.count), behind: tree.tokens(of: value).upperBound - 1)]
    }

    /// `{ … }` for `[ … ]`, if the bracket is closed.
    func bracing(_ opening: Int) -> [Correction.Edit] {
        let table = tree.nodes(around: opening).last { tree.kind($0) == .table }
        guard let table, tree.tokens(of: table).lowerBound == opening, let closing = tree.closingBrace(of: table),
            tree.kind(at: closing) == .rightBracket
        else { return [] }
        return [replacing(opening, with: "{"), replacing(closing, with: "}")]
    }

    // MARK: Comments

    /// `--` for the comment sign of another language.
    func commenting(_ index: Int) -> Correction.Edit {
        // `--[` could start a long comment.
        let isBracket = tree.bytes[tree.tokens[index].upperBound...].first == UInt8(ascii: "[")
        return replacing(index, with: isBracket ? "-- " : "--")
    }

    /// `--[[ … ]]` for a comment in C style, if it is closed and does not contain `]]`.
    func bracketingComment(_ index: Int) -> [Correction.Edit] {
        let start = tree.tokens[index].lowerBound
        var index = start + 2
        while index + 1 < tree.bytes.count {
            if tree.bytes[index] == UInt8(ascii: "*"), tree.bytes[index + 1] == UInt8(ascii: "/") {
                return [Correction.Edit(start..<start + 2, "--[["), Correction.Edit(index..<index + 2, "]]")]
            }
            if tree.bytes[index] == UInt8(ascii: "]"), tree.bytes[index + 1] == UInt8(ascii: "]") { return [] }
            index += 1
        }
        return []
    }

    // MARK: Characters

    /// A text in place of a character, wherever Lua cannot read it.
    func replacing(_ scalar: Unicode.Scalar, with text: String) -> [Correction.Edit] {
        let written = Array(String(Character(scalar)).utf8)
        var edits: [Correction.Edit] = []
        for token in tree.tokens where token.kind == .invalid {
            // In a string, the character is not the mistake.
            guard let first = tree.bytes[token.range].first, first != UInt8(ascii: "\""), first != UInt8(ascii: "'"),
                first != UInt8(ascii: "[")
            else { continue }
            var byte = token.lowerBound
            while byte + written.count <= token.upperBound {
                guard tree.bytes[byte..<byte + written.count].elementsEqual(written) else {
                    byte += 1
                    continue
                }
                edits.append(Correction.Edit(byte..<byte + written.count, text))
                byte += written.count
            }
        }
        return edits
    }

    /// Straight quotes around a string in other quotes, if it is closed on its line and contains nothing that straight
    /// quotes would change.
    func quoting(_ start: Int, _ opening: Unicode.Scalar) -> [Correction.Edit] {
        let rest = tree.bytes[start...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let closing = Self.closings[opening] ?? [opening]
        var place = start + String(Character(opening)).utf8.count
        let first = start..<place
        for scalar in String(decoding: rest[place...], as: UTF8.self).unicodeScalars {
            let end = place + String(Character(scalar)).utf8.count
            if closing.contains(scalar) {
                // Within a word it is an apostrophe.
                let isEnd = end >= tree.bytes.count || !tree.bytes[end].isOfWord
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
    func doublingBackslashes(of index: Int) -> [Correction.Edit] {
        var edits: [Correction.Edit] = []
        let range = tree.tokens[index].range
        var byte = range.lowerBound
        while byte + 1 < range.upperBound {
            guard tree.bytes[byte] == UInt8(ascii: "\\") else {
                byte += 1
                continue
            }
            let next = tree.bytes[byte + 1]
            // A backslash before a quote or another backslash is a valid escape already.
            if next != UInt8(ascii: "\\"), next != UInt8(ascii: "\""), next != UInt8(ascii: "'") {
                if Self.escapes.contains(next) { return [] }
                edits.append(Correction.Edit(byte..<byte, "\\"))
            }
            byte += 2
        }
        return edits
    }

    /// The characters that form an escape with a backslash before them (manual §3.1).
    private static let escapes = Set("abfnrtvxzu0123456789\n\r".utf8)
}

extension UInt8 {
    /// Whether it can be part of a name in Lua.
    package var isOfWord: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether Lua treats it as white space.
    package var isSpace: Bool { self == UInt8(ascii: " ") || (0x09...0x0D).contains(self) }
}
