import GlassSchema
import LuaSyntax

/// Explains mistakes in the words of those who made them.
struct LuaMistakeReader {
    let tree: LuaTree
    /// Lua's own message about the text, if it has one.
    var message = ""

    func mistake(_ error: LuaSyntaxError) -> LuaSyntaxMistake? {
        let index = error.token
        // A character that Lua cannot read explains what seems to be missing before it.
        if tree.kind(at: index) == .invalid { return invalidToken(index) }
        switch error.kind {
        case .foreignOperator: return foreignOperator(index)
        case .foreignComment: return foreignComment(index)
        case .assignForEqual:
            return mistake(
                at: index, "use == instead of =", hint: "compare with ==", edits: [replacing(index, with: "==")])
        case .colonForAssign: return colonForAssign(index)
        case .arrowForAssign:
            return mistake(
                at: index, "use = instead of \(tree.text(of: index))>", hint: "write =", edits: joining(index, as: "="))
        case .keyInQuotes:
            return mistake(
                at: index, "a quoted key needs brackets", hint: "write \(bracketed(index)) =",
                edits: [replacing(index, with: bracketed(index))])
        case .keyIsNumber, .keyIsKeyword:
            let word = tree.text(of: index)
            let isNumber = error.kind == .keyIsNumber
            let key = isNumber ? "[\(word)]" : "[\"\(word)\"]"
            return mistake(
                at: index, isNumber ? "a key that is a number needs brackets" : "\(word) is a reserved word in Lua",
                hint: "write \(key) =", edits: [replacing(index, with: key)])
        case .keyNeedsBrackets: return keyNeedsBrackets(index)
        case .listInBrackets: return listInBrackets(index)
        case .missingReturn:
            return mistake(
                at: index, "return is missing before the table", hint: "begin the file with return {",
                edits: [inserting("return ", before: index)])
        case .missingBrace:
            return mistake(
                behind: index - 1, "{ is missing here", hint: "begin the table of the file: return {",
                edits: [inserting(" {", behind: index - 1)])
        case .missingValue: return missingValue(index)
        case .missingSeparator: return directiveWithoutList(index) ?? missingComma(index)
        case .unclosed(let end): return unclosed(index, until: end)
        case .surplus: return tooMany(index)
        case .statementAfterReturn:
            if tree.kind(at: index) == .semicolon, tree.kind(at: index - 1) == .semicolon { return oneTooMany(index) }
            if tree.kind(at: index) == .return, tree.kind(at: index - 1) == .return { return returnTwice(index) }
            return mistake(
                at: index, "nothing may follow the return statement", hint: "move it into the table, or before return")
        default: return other(index)
        }
    }

    /// Explains a token that fits nowhere.
    private func other(_ index: Int) -> LuaSyntaxMistake? {
        if let sign = commentSign(before: index) { return foreignComment(sign) }
        if Self.arithmetic.contains(tree.kind(at: index)), tree.kind(at: index + 1) == .assign,
            touchesPrevious(index + 1)
        {
            return foreignOperator(index)
        }
        // What is open is more helpful than what could have come next.
        return openBracket(at: index).map { unclosed($0, until: index) }
    }

    private static let arithmetic: Set<LuaTokenKind> = [
        .plus, .minus, .star, .slash, .percent, .concatenate, .caret, .pipe, .ampersand, .doubleSlash,
    ]

    /// The bracket or block that must be closed before a token, because the file ends or because nothing else can come
    /// next.
    private func openBracket(at index: Int) -> Int? {
        if tree.kind(at: index) == .endOfFile {
            return tree.errors.lazy.filter { $0.kind == .unclosed(until: index) }.map(\.token).max()
        }
        let isClosingExpected = message.contains("(to close") || message.prefix(2) == "')" || message.prefix(2) == "']"
        guard isClosingExpected || message.hasPrefix("'}' expected"), !Self.valueStarts.contains(tree.kind(at: index))
        else {
            return nil
        }
        let open = tree.nodes(around: index).last {
            [.table, .arguments, .parenthesis, .index, .parameters].contains(tree.kind($0))
        }
        return open.map { tree.tokens(of: $0).lowerBound }.flatMap {
            tree.kind(at: $0).isOpener && $0 < index ? $0 : nil
        }
    }

    private static let valueStarts: Set<LuaTokenKind> = [
        .name, .string, .integer, .float, .true, .false, .nil, .function, .leftBrace, .leftBracket, .leftParenthesis,
    ]

    // MARK: Tokens

    func name(_ index: Int) -> String? { tree.kind(at: index) == .name ? tree.text(of: index) : nil }

    /// Whether a token immediately follows the one before it.
    func touchesPrevious(_ index: Int) -> Bool {
        index > 0 && index < tree.tokens.count && tree.gap(before: index).isEmpty
    }

    func mistake(
        at index: Int, _ message: String?, hint: String? = nil, edits: [Correction.Edit] = []
    ) -> LuaSyntaxMistake {
        mistake(atByte: tree.tokens[index].lowerBound, message, hint: hint, edits: edits)
    }

    /// A mistake after a token, where something is missing.
    private func mistake(
        behind index: Int, _ message: String, hint: String, edits: [Correction.Edit]
    ) -> LuaSyntaxMistake {
        mistake(atByte: tree.tokens[index].upperBound, message, hint: hint, edits: edits)
    }

    func mistake(
        atByte byte: Int, _ message: String?, hint: String? = nil, edits: [Correction.Edit] = []
    ) -> LuaSyntaxMistake {
        let position = tree.lines.position(of: byte)
        return LuaSyntaxMistake(
            line: position.line, column: position.column, message: message, hint: hint, edits: edits)
    }

    // MARK: Syntax of other languages

    private func foreignOperator(_ index: Int) -> LuaSyntaxMistake? {
        let sign = tree.text(of: index)
        let written = sign + tree.text(of: index + 1)
        let message = "\(written) is not a Lua operator"
        if let meant = ["===": "==", "&&": "and", "||": "or"][written] {
            return mistake(at: index, message, hint: "write \(meant)", edits: joining(index, as: meant))
        }
        let variable = name(index - 1) ?? "x"
        if tree.kind(at: index + 1) == .assign {
            return mistake(
                at: index, message, hint: "write \(variable) = \(variable) \(sign) …",
                edits: assigning("\(variable) \(sign)", at: index, withOperand: true))
        }
        guard written == "++" else { return nil }
        return mistake(
            at: index, message, hint: "write \(variable) = \(variable) + 1",
            edits: assigning("\(variable) + 1", at: index))
    }

    /// The sign of a comment of another language that made statements of its words. Lua stops at the sign, or where the
    /// second word follows the first.
    private func commentSign(before index: Int) -> Int? {
        [index, index - 1, index - 2].first { sign in
            guard sign >= 0, !(sign..<index).contains(where: { startsLine($0 + 1) }) else { return false }
            let isText =
                sign == index || sign == index - 2 && tree.kind(at: index - 1) == .name && tree.kind(at: index) == .name
            switch tree.kind(at: sign) {
            case .doubleSlash: return isText
            case .slash: return tree.kind(at: sign + 1) == .star && touchesPrevious(sign + 1)
            case .hash: return isText && startsLine(sign)
            default: return false
            }
        }
    }

    private func startsLine(_ index: Int) -> Bool {
        tree.tokens.indices.contains(index) && tree.tokens[index].startsLine
    }

    private func foreignComment(_ index: Int) -> LuaSyntaxMistake {
        if tree.kind(at: index) == .slash {
            return mistake(
                at: index, "/* does not start a comment in Lua", hint: "write --[[ … ]]",
                edits: bracketingComment(index))
        }
        return mistake(
            at: index, "\(tree.text(of: index)) does not start a comment in Lua", hint: "write --",
            edits: [commenting(index)])
    }

    private func colonForAssign(_ colon: Int) -> LuaSyntaxMistake {
        mistake(
            at: colon, "use = instead of :", hint: "write \(entryText(atColon: colon) ?? bracketed(colon - 1) + " =")",
            edits: assigning(atColon: colon))
    }

    /// A short entry of JSON in Lua, if it has further entries or lists inside.
    private func entryText(atColon colon: Int) -> String? {
        let end = endOfOperand(colon + 1)
        guard end - colon <= 24, tree.kind(at: colon + 1).isOpener else { return nil }
        var (text, index) = ("", colon - 1)
        while index < end {
            switch tree.kind(at: index) {
            case .string where tree.kind(at: index + 1) == .colon, .name where tree.kind(at: index + 1) == .colon:
                text += "\(bracketed(index)) = "
                index += 1
            case .leftBrace, .leftBracket: text += "{ "
            case .rightBrace, .rightBracket: text += " }"
            case .comma: text += ", "
            case .string, .integer, .float, .true, .false: text += tree.text(of: index)
            default: return nil
            }
            index += 1
        }
        return text.utf8.count <= 80 ? text : nil
    }

    /// `Accept-Language = …` and `a.b = …`
    private func keyNeedsBrackets(_ first: Int) -> LuaSyntaxMistake? {
        guard let field = tree.nodes(around: first).last(where: { tree.kind($0) == .field }),
            let parts = tree.children(of: field).first.map({ tree.tokens(of: $0) }), parts.count > 2
        else { return nil }
        let isNames = parts.enumerated().allSatisfy { offset, index in
            offset.isMultiple(of: 2)
                ? tree.kind(at: index) == .name : tree.kind(at: index) == .minus || tree.kind(at: index) == .dot
        }
        guard isNames else { return nil }
        let names = parts.compactMap(name)
        let range = tree.range(of: parts)
        let written = String(decoding: tree.bytes[range], as: UTF8.self)
        guard parts.contains(where: { tree.kind(at: $0) == .minus }) else {
            return mistake(
                at: first, "a table key is a single name",
                hint: "write \(names.joined(separator: " = { ")) = …" + String(repeating: " }", count: names.count - 1),
                edits: nesting(parts, in: field))
        }
        return mistake(
            at: first, "a key with characters other than letters, digits, and _ needs brackets",
            hint: "write [\"\(written)\"] =",
            edits: written.utf8.contains { $0 <= 0x20 } ? [] : [Correction.Edit(range, "[\"\(written)\"]")])
    }

    /// A quoted key in Lua's syntax, without quotes if possible.
    func bracketed(_ index: Int) -> String {
        guard tree.kind(at: index) == .string else { return tree.text(of: index) }
        let name = String(decoding: tree.value(ofString: index), as: UTF8.self)
        return name.isLuaName ? name : "[\(tree.text(of: index))]"
    }

    // MARK: What is missing

    private func listInBrackets(_ index: Int) -> LuaSyntaxMistake {
        let list = listText(index) ?? "{ … }"
        return mistake(
            at: index, "a list in Lua has braces, not brackets", hint: "write \(list)", edits: bracing(index))
    }

    /// A short list of literals in brackets, with braces.
    private func listText(_ opening: Int) -> String? {
        let kinds: Set<LuaTokenKind> = [.string, .integer, .float, .true, .false, .comma]
        var end = opening + 1
        while end < tree.tokens.count, kinds.contains(tree.kind(at: end)) { end += 1 }
        guard end < tree.tokens.count, end > opening + 1, tree.kind(at: end) == .rightBracket else { return nil }
        let inner = tree.tokens[opening].upperBound..<tree.tokens[end].lowerBound
        guard inner.count <= 60 else { return nil }
        let text = String(decoding: tree.bytes[inner], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return "{ \(text.joined(separator: " ")) }"
    }

    /// A key without a value: `a = b = …`, `a = ["b"] = …`, `a = ,`.
    private func missingValue(_ index: Int) -> LuaSyntaxMistake? {
        switch (tree.kind(at: index - 1), tree.kind(at: index)) {
        case (.assign, .leftBracket)
        where tree.kind(at: index + 2) != .rightBracket || tree.kind(at: index + 3) != .assign:
            return listInBrackets(index)
        case (.assign, .leftBracket), (.assign, .name):
            return mistake(
                behind: index - 1, "a value is missing here",
                hint: "write { if a table begins here, or the value and a comma", edits: [])
        case (.assign, .comma), (.assign, .semicolon), (.assign, .rightBrace), (.assign, .endOfFile):
            return mistake(behind: index - 1, "a value is missing here", hint: "write the value", edits: [])
        case (.comma, .comma), (.comma, .semicolon), (.semicolon, .comma), (.semicolon, .semicolon),
            (.leftBrace, .comma), (.leftBrace, .semicolon):
            return oneTooMany(index)
        default: return other(index)
        }
    }

    private func returnTwice(_ index: Int) -> LuaSyntaxMistake {
        let gap = tree.gap(before: index)
        return mistake(
            at: index, "return is written twice", hint: "remove one of them",
            edits: tree.bytes[gap].allSatisfy(\.isSpace)
                ? [Correction.Edit(gap.lowerBound..<tree.tokens[index].upperBound, "")] : [])
    }

    private func oneTooMany(_ index: Int) -> LuaSyntaxMistake {
        mistake(
            at: index, "there is an extra \(tree.text(of: index)) here", hint: "remove it",
            edits: [replacing(index, with: "")])
    }

    /// A value immediately after another one.
    private func missingComma(_ index: Int) -> LuaSyntaxMistake {
        let next = tree.text(of: index).shortened
        if tree.kind(at: index - 1) == .string, touchesPrevious(index), tree.kind(at: index) == .name {
            return mistake(
                at: index - 1, "the string that begins here ends before \(next)",
                hint: "close it with the same quote, and escape inner quotes as \\\"")
        }
        return mistake(
            behind: index - 1, "a comma is missing here", hint: "add a comma before \(next)",
            edits: [inserting(",", behind: index - 1)])
    }

    // MARK: What is not closed

    private func unclosed(_ opener: Int, until end: Int) -> LuaSyntaxMistake {
        let closing = tree.kind(at: opener).closer.spelling ?? ""
        let next = tokenOutside(opener, before: end)
        // A comma, if another field follows.
        let isField = next.map { [.name, .leftBracket, .leftBrace, .string].contains(tree.kind(at: $0)) } ?? false
        let comma = isField && tree.kind(at: opener) == .leftBrace && isFieldValue(opener) ? "," : ""
        var mistake = mistake(
            at: opener, "\(tree.text(of: opener)) is opened here but not closed",
            hint: next.map { "write \(closing)\(comma) before line \(tree.position(of: $0).line)" }
                ?? "write \(closing) where it ends")
        let position = tree.position(of: end)
        mistake.noticed = LuaSyntaxMistake.Notice(
            line: position.line, column: position.column,
            message: tree.kind(at: end) == .endOfFile
                ? "the file ends here without \(closing)" : "\(closing) is missing before this")
        return mistake
    }

    /// The first token of a line after a bracket that is indented no more than the bracket's own line, which therefore is
    /// probably outside the bracket.
    private func tokenOutside(_ opener: Int, before end: Int) -> Int? {
        guard let first = (0...opener).reversed().first(where: startsLine) else { return nil }
        let indentation = tree.position(of: first).column
        guard opener < end else { return nil }
        return (opener + 1...end).first { index in
            startsLine(index) && tree.kind(at: index) != .endOfFile
                && tree.position(of: index).column <= indentation
        }
    }

    private func isFieldValue(_ opener: Int) -> Bool {
        tree.nodes(around: opener).contains { tree.kind($0) == .field }
    }

    private func tooMany(_ index: Int) -> LuaSyntaxMistake {
        // The root block alone cannot be closed.
        let closes = tree.nodes(around: index).contains { tree.kind($0) == .table || tree.kind($0) == .arguments }
        return mistake(
            at: index, "there is an extra \(tree.text(of: index)) here",
            hint: closes && !tree.tokens[index].startsLine
                ? "remove it, or add its counterpart on this line"
                : "remove it, or an earlier one that closes too soon")
    }

    /// A comment that is not closed, which is not a token.
    var unfinishedComment: LuaSyntaxMistake? {
        guard
            let index = tree.tokens.indices.first(where: {
                tree.kind(at: $0) == .invalid && tree.tokens[$0].range.isEmpty
            }),
            let comment = tree.comments(before: index).last
        else { return nil }
        let signs = tree.bytes[comment.range].dropFirst(3).prefix { $0 == UInt8(ascii: "=") }.count
        return mistake(
            atByte: comment.range.lowerBound, "the comment that begins here is not closed",
            hint: "write ]\(String(repeating: "=", count: signs))] at its end")
    }
}

extension String {
    /// The text for a hint; only the beginning of a long one.
    var shortened: String { count > 30 ? prefix(30) + "…" : self }
}
