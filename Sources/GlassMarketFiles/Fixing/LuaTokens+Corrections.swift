import GlassSchema
import LuaBridge

/// The changes that corrections make to the text.
extension LuaTokens {
    /// The edits of a correction.
    struct Edits {
        /// The description of the edits, in the imperative.
        let title: String
        let edits: [Correction.Edit]
        var isUnambiguous = true
    }

    /// Finds the text that a correction applies to, and the edits for it.
    func edits(for correction: Correction, at position: SourcePosition, hint: String?) -> Edits? {
        if case .text(let edits, let isUnambiguous) = correction {
            return Edits(title: hint ?? "", edits: edits, isUnambiguous: isUnambiguous)
        }
        guard let index = index(at: position) else { return nil }
        switch correction {
        case .spelling(let written, let meant, let isUnambiguous):
            guard let place = spelling(of: written, at: index) else { return nil }
            return respelling(place, as: meant, isUnambiguous)
        case .word(let written, let meant):
            guard tokens[index].name == written else { return nil }
            return Edits(title: "write \(meant)", edits: [Correction.Edit(tokens[index].range, meant)])
        case .number(let numeral): return unquoting(numeral, at: index)
        case .wrapInList: return wrapping(index)
        case .placeholder(let written, let meant, let isUnambiguous):
            return renaming(placeholder: written, to: meant, at: index, isUnambiguous)
        case .entry(let text): return adding(text, to: index)
        case .textKey(let key):
            guard case .integer = tokens[index].kind, has(.leftBracket, at: index - 1),
                has(.rightBracket, at: index + 1)
            else { return nil }
            return Edits(title: "write [\"\(key)\"]", edits: [Correction.Edit(tokens[index].range, "\"\(key)\"")])
        case .repeated(let first): return removingEntry(at: index, equalTo: self.index(at: first))
        case .local: return declaring(index)
        case .text: return nil
        }
    }

    // MARK: Names

    /// The index of the token with the name or string that was written. If the finding points at a value, that is the
    /// token of its key.
    private func spelling(of written: String, at index: Int) -> Int? {
        let key = has(.assign, at: index - 1) ? (has(.rightBracket, at: index - 2) ? index - 3 : index - 2) : index
        return [index, key].first { place in
            guard tokens.indices.contains(place) else { return false }
            switch tokens[place].kind {
            case .name(written): return true
            case .string(let value): return value.elementsEqual(written.utf8)
            default: return false
            }
        }
    }

    private func respelling(_ index: Int, as meant: String, _ isUnambiguous: Bool) -> Edits? {
        let token = tokens[index]
        // A misspelled Lua keyword is a name to Lua; a key cannot be a keyword.
        let isWord = LuaToken.Keyword(rawValue: meant) != nil && !has(.assign, at: index + 1)
        if token.name != nil, isWord || isName(meant) {
            return Edits(
                title: "write \(meant)", edits: [Correction.Edit(token.range, meant)], isUnambiguous: isUnambiguous)
        }
        guard meant.unicodeScalars.allSatisfy({ $0 >= " " && $0 != "\"" && $0 != "'" && $0 != "\\" }) else {
            return nil
        }
        if token.isString {
            let quote = bytes[token.range.lowerBound] == UInt8(ascii: "'") ? "'" : "\""
            return Edits(
                title: "write \"\(meant)\"", edits: [Correction.Edit(token.range, quote + meant + quote)],
                isUnambiguous: isUnambiguous)
        }
        // A key that is not a name needs brackets.
        let beginsField = [.leftBrace, .comma, .semicolon].contains { has($0, at: index - 1) }
        guard beginsField, has(.assign, at: index + 1) else { return nil }
        return Edits(
            title: "write [\"\(meant)\"]", edits: [Correction.Edit(token.range, "[\"\(meant)\"]")],
            isUnambiguous: isUnambiguous)
    }

    private func isName(_ text: String) -> Bool {
        StringFormat.identifier.matches(text) && LuaToken.Keyword(rawValue: text) == nil
    }

    /// Replaces a placeholder, such as `{weak}` with `{week}`, wherever the string contains it.
    private func renaming(
        placeholder written: String, to meant: String, at index: Int, _ isUnambiguous: Bool
    ) -> Edits? {
        guard tokens[index].isString else { return nil }
        let range = tokens[index].range
        let name = Array("{\(written)".utf8)
        var edits: [Correction.Edit] = []
        // After the opening quote.
        let first = range.lowerBound + 1
        for start in first..<max(first, range.upperBound - name.count) {
            let end = start + name.count
            // `{{` is an escaped brace.
            guard bytes[start..<end].elementsEqual(name), bytes[start - 1] != UInt8(ascii: "{"),
                bytes[end] == UInt8(ascii: "}") || bytes[end] == UInt8(ascii: "|")
            else { continue }
            edits.append(Correction.Edit(start + 1..<end, meant))
        }
        return edits.isEmpty ? nil : Edits(title: "write {\(meant)}", edits: edits, isUnambiguous: isUnambiguous)
    }

    // MARK: Values

    private func unquoting(_ numeral: String, at index: Int) -> Edits? {
        guard case .string(let value) = tokens[index].kind, value.elementsEqual(numeral.utf8), isNumeral(numeral) else {
            return nil
        }
        let range = tokens[index].range
        let before = range.lowerBound > 0 && bytes[range.lowerBound - 1].isOfWord ? " " : ""
        let after = range.upperBound < bytes.count && bytes[range.upperBound].isOfWord ? " " : ""
        return Edits(
            title: "remove the quotes: \(numeral)", edits: [Correction.Edit(range, before + numeral + after)])
    }

    /// Whether Lua reads a text as a single number, with or without a sign.
    private func isNumeral(_ text: String) -> Bool {
        var tokenizer = LuaTokenizer(Array(text.utf8))
        var token = tokenizer.next()
        if token.is(.minus) { token = tokenizer.next() }
        switch token.kind {
        case .integer, .float: return tokenizer.next().kind == .endOfFile
        default: return false
        }
    }

    private func wrapping(_ index: Int) -> Edits? {
        switch tokens[index].kind {
        case .string, .integer, .float: break
        default: return nil
        }
        // Only the beginning of a computed value would be wrapped.
        guard has(.assign, at: index - 1),
            [.comma, .semicolon, .rightBrace].contains(where: { has($0, at: index + 1) })
        else { return nil }
        let range = tokens[index].range
        return Edits(
            title: "wrap the value in a list",
            edits: [
                Correction.Edit(range.lowerBound..<range.lowerBound, "{ "),
                Correction.Edit(range.upperBound..<range.upperBound, " }"),
            ])
    }

    // MARK: Entries

    /// Adds an entry before the first one of a table, with the same layout.
    private func adding(_ text: String, to index: Int) -> Edits? {
        guard has(.leftBrace, at: index), tokens.indices.contains(index + 1) else { return nil }
        let (brace, next) = (tokens[index], tokens[index + 1])
        let place = next.range.lowerBound
        let gap = bytes[brace.range.upperBound..<place]
        let title = "write \(text)"
        func edits(_ text: String) -> Edits {
            Edits(title: title, edits: [Correction.Edit(place..<place, text)])
        }
        if next.is(.rightBrace) {
            guard gap.allSatisfy(\.isSpace), next.line == brace.line else { return nil }
            return edits("\(gap.isEmpty ? " " : "")\(text) ")
        }
        if next.line == brace.endLine { return edits("\(text), ") }
        let indentation = bytes[..<place].suffix(while: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
        let lineEnd = bytes[..<indentation.startIndex].suffix(while: {
            $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
        })
        // If a comment precedes the first entry on its line, there is no indentation to repeat.
        guard !lineEnd.isEmpty else { return edits("\(text), ") }
        let isReturn = lineEnd.last == UInt8(ascii: "\n") && lineEnd.dropLast().last == UInt8(ascii: "\r")
        return edits("\(text),\(isReturn ? "\r\n" : "\n")" + String(decoding: indentation, as: UTF8.self))
    }

    /// Removes an entry that repeats another one of the same table.
    private func removingEntry(at index: Int, equalTo first: Int?) -> Edits? {
        guard let first, let one = entry(ofKey: first), let other = entry(ofKey: index),
            tokens[one.value].map(\.kind) == tokens[other.value].map(\.kind),
            // A call may return a different value each time.
            !tokens[other.value].contains(where: { $0.is(.leftParenthesis) || $0.kind == .keyword(.function) })
        else { return nil }
        let (start, end) = (other.start, other.value.upperBound - 1)
        let separator = has(.comma, at: end + 1) || has(.semicolon, at: end + 1) ? end + 1 : nil
        let last = separator ?? end
        // The contents of the entry are removed with it, so it must not contain a comment.
        guard (start..<last).allSatisfy({ areTogether($0, $0 + 1) }) else { return nil }
        var range = tokens[start].range.lowerBound..<tokens[last].range.upperBound
        let title = "remove the duplicate entry"
        let before = bytes[..<range.lowerBound].suffix(while: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
        let after = bytes[range.upperBound...].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let beginsLine = before.startIndex == 0 || bytes[before.startIndex - 1].isLineEnd
        let lineEnd = bytes[after.endIndex...].prefix(2).prefix { $0.isLineEnd }
        if beginsLine, let first = lineEnd.first {
            // Remove the whole line; two equal characters are two line ends.
            range = before.startIndex..<after.endIndex + (lineEnd.count == 2 && lineEnd.last != first ? 2 : 1)
        } else if separator != nil {
            range = range.lowerBound..<(beginsLine ? range.upperBound : after.endIndex)
        } else if !beginsLine, has(.comma, at: start - 1) || has(.semicolon, at: start - 1),
            areTogether(start - 1, start)
        {
            range = tokens[start - 1].range.lowerBound..<range.upperBound
        }
        return Edits(title: title, edits: [Correction.Edit(range, "")])
    }

    /// The tokens of an entry of a table constructor.
    private func entry(ofKey key: Int) -> (start: Int, value: Range<Int>)? {
        let isBracketed = has(.leftBracket, at: key - 1) && has(.rightBracket, at: key + 1)
        let assign = key + (isBracketed ? 2 : 1)
        guard has(.assign, at: assign), let end = endOfValue(from: assign + 1) else { return nil }
        return (isBracketed ? key - 1 : key, assign + 1..<end + 1)
    }

    // MARK: Statements

    /// Adds `local` before a function or an assignment to one name.
    private func declaring(_ index: Int) -> Edits? {
        guard let name = tokens[index].name, index > 0 else { return nil }
        let isFunction = tokens[index - 1].kind == .keyword(.function)
        guard isFunction ? has(.leftParenthesis, at: index + 1) : has(.assign, at: index + 1) else { return nil }
        if has(.comma, at: index - 1) { return nil }
        let place = tokens[isFunction ? index - 1 : index].range.lowerBound
        return Edits(title: "write local \(name)", edits: [Correction.Edit(place..<place, "local ")])
    }
}

extension UInt8 {
    fileprivate var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}

extension ArraySlice<UInt8> {
    /// The longest suffix in which each byte fits.
    fileprivate func suffix(while fits: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var start = endIndex
        while start > startIndex, fits(self[start - 1]) { start -= 1 }
        return self[start...]
    }
}
