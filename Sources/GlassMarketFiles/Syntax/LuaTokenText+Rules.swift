import GlassSchema
import LuaBridge

/// The syntax of other languages, and syntax that is missing.
extension LuaTokenText {
    /// An operator that Lua does not have.
    func mistakeOfOperator(_ message: String) -> LuaSyntaxMistake? {
        let (previous, next) = (token(-1), token(1))
        switch (previous?.kind, token.kind) {
        case (.symbol(.assign)?, .symbol(.greater)) where touches(previous, token):
            return LuaSyntaxMistake(
                at: previous, "use = instead of =>", hint: "write =", edits: joining(previous, token, as: "="))
        case (.symbol(.minus)?, .symbol(.greater)) where touches(previous, token):
            return LuaSyntaxMistake(
                at: previous, "use = instead of ->", hint: "write =", edits: joining(previous, token, as: "="))
        case (.symbol(.equal)?, .symbol(.assign)) where touches(previous, token):
            return LuaSyntaxMistake(
                at: previous, "=== is not a Lua operator", hint: "write ==", edits: joining(previous, token, as: "=="))
        case (.symbol(.ampersand)?, .symbol(.ampersand)):
            return LuaSyntaxMistake(
                at: previous, "&& is not a Lua operator", hint: "write and", edits: joining(previous, token, as: "and"))
        case (.symbol(.pipe)?, .symbol(.pipe)):
            return LuaSyntaxMistake(
                at: previous, "|| is not a Lua operator", hint: "write or", edits: joining(previous, token, as: "or"))
        case (_, .symbol(let symbol)) where Self.arithmetic.contains(symbol) && touches(token, next):
            let variable = previous?.name ?? "x"
            guard next?.is(.assign) == true else {
                return symbol == .plus && next?.is(.plus) == true
                    ? LuaSyntaxMistake(
                        at: token, "++ is not a Lua operator", hint: "write \(variable) = \(variable) + 1",
                        edits: assigning("\(variable) + 1")) : comment
            }
            return LuaSyntaxMistake(
                at: token, "\(symbol.rawValue)= is not a Lua operator",
                hint: "write \(variable) = \(variable) \(symbol.rawValue) …",
                edits: assigning("\(variable) \(symbol.rawValue)", withOperand: true))
        case (_, .symbol(.assign)) where message.hasPrefix("'then' expected") || message.hasPrefix("'do' expected"):
            return LuaSyntaxMistake(
                at: token, "use == instead of =", hint: "compare with ==", edits: [replacing(token, with: "==")])
        default: return comment
        }
    }

    private static let arithmetic: Set<LuaToken.Symbol> = [
        .plus, .minus, .star, .slash, .percent, .concatenate, .caret, .pipe, .ampersand, .doubleSlash,
    ]

    /// A comment of another language. Lua stops at its sign, or where its second word follows the first.
    private var comment: LuaSyntaxMistake? {
        for offset in [0, -1, -2] {
            guard let sign = token(offset), sign.line == token.line else { continue }
            let next = token(offset + 1)
            let isText = offset == 0 || offset == -2 && next?.name != nil && token.name != nil
            let before = token(offset - 1)
            let beginsField = before.map { $0.line < sign.line || $0.is(.comma) || $0.is(.semicolon) } ?? true
            if sign.is(.doubleSlash), isText {
                return LuaSyntaxMistake(
                    at: sign, "// does not start a comment in Lua", hint: "write --", edits: [commenting(sign)])
            }
            if sign.is(.slash), next?.is(.star) == true, touches(sign, next) {
                return LuaSyntaxMistake(
                    at: sign, "/* does not start a comment in Lua", hint: "write --[[ … ]]",
                    edits: bracketingComment(sign))
            }
            if sign.is(.hash), isText, beginsField {
                return LuaSyntaxMistake(
                    at: sign, "# does not start a comment in Lua", hint: "write --", edits: [commenting(sign)])
            }
        }
        return nil
    }

    /// A key in the syntax of another language.
    func mistakeOfKey(_ message: String) -> LuaSyntaxMistake? {
        if let colon = colonForAssign { return colon }
        guard token.is(.assign), let key = token(-1) else {
            guard case .keyword(let word) = token.kind, token(1)?.is(.assign) == true else { return nil }
            return LuaSyntaxMistake(
                at: token, "\(word.rawValue) is a reserved word in Lua", hint: "write [\"\(word.rawValue)\"] =",
                edits: [replacing(token, with: "[\"\(word.rawValue)\"]")])
        }
        if key.isString {
            return LuaSyntaxMistake(
                at: key, "a quoted key needs brackets", hint: "write \(bracketed(key)) =",
                edits: [replacing(key, with: bracketed(key))])
        }
        if case .integer = key.kind {
            return LuaSyntaxMistake(
                at: key, "a key that is a number needs brackets", hint: "write [\(text(of: key))] =",
                edits: [replacing(key, with: "[\(text(of: key))]")])
        }
        // `Accept-Language = …` and `a.b = …`
        var first = index - 1
        while first >= 2, tokens[first].name != nil, tokens[first - 1].is(.minus) || tokens[first - 1].is(.dot),
            tokens[first - 2].name != nil
        {
            first -= 2
        }
        guard first < index - 1 else { return nil }
        let names = tokens[first..<index].compactMap(\.name)
        if tokens[first..<index].allSatisfy({ $0.name != nil || $0.is(.dot) }) {
            return LuaSyntaxMistake(
                at: tokens[first], "the key of a table is a single name",
                hint: "write \(names.joined(separator: " = { ")) = …"
                    + String(repeating: " }", count: names.count - 1), edits: nesting(from: first))
        }
        let range = tokens[first].range.lowerBound..<key.range.upperBound
        let written = String(decoding: bytes[range], as: UTF8.self)
        return LuaSyntaxMistake(
            at: tokens[first], "a key with characters other than letters, digits and _ needs brackets",
            hint: "write [\"\(written)\"] =",
            edits: written.utf8.contains { $0 <= 0x20 } ? [] : [Correction.Edit(range, "[\"\(written)\"]")])
    }

    /// `name: value`, which Lua reads as a method call or cannot read at all.
    private var colonForAssign: LuaSyntaxMistake? {
        for offset in [0, -1, -2] {
            guard let colon = token(offset), colon.is(.colon), let key = token(offset - 1) else { continue }
            let before = token(offset - 2)
            let beginsField =
                before?.is(.comma) == true || before?.is(.semicolon) == true || before?.is(.leftBrace) == true
                || (before?.line ?? 0) < key.line
            guard beginsField, key.name != nil || key.isString else { continue }
            let name = key.name ?? bracketed(key)
            return LuaSyntaxMistake(
                at: colon, "use = instead of :", hint: "write \(name) =",
                edits: assigning(key, colon, next: token(offset + 1)))
        }
        return nil
    }

    /// A quoted key in Lua's syntax, without quotes if possible.
    func bracketed(_ key: LuaToken) -> String {
        guard case .string(let value) = key.kind else { return text(of: key) }
        let name = String(decoding: value, as: UTF8.self)
        let isName = StringFormat.identifier.matches(name) && LuaToken.Keyword(rawValue: name) == nil
        return isName ? name : "[\(text(of: key))]"
    }

    /// A file that begins with its table, without `return`.
    var missingReturn: LuaSyntaxMistake? {
        guard let first = tokens.first, first.is(.leftBrace), index == 0 else { return nil }
        return LuaSyntaxMistake(
            at: first, "return is missing before the table", hint: "begin the file with return {",
            edits: [Correction.Edit(first.range.lowerBound..<first.range.lowerBound, "return ")])
    }

    /// A key without a value: `a = b = …`, `a = ["b"] = …`, `a = ,`.
    var missingValue: LuaSyntaxMistake? {
        if token.is(.assign), token(-1)?.name != nil, let before = token(-2) {
            if before.kind == .keyword(.return) {
                return LuaSyntaxMistake(
                    behind: before, "{ is missing here", hint: "begin the table of the file: return {",
                    edits: [Correction.Edit(before.range.upperBound..<before.range.upperBound, " {")])
            }
            return before.is(.assign) ? missingValue(behind: before) : nil
        }
        guard let before = token(-1), before.is(.assign) else { return nil }
        switch token.kind {
        case .symbol(.leftBracket) where !isKeyInBrackets:
            return LuaSyntaxMistake(
                at: token, "[ does not start a list in Lua", hint: "write { … }", edits: bracing(token))
        case .symbol(.leftBracket), .symbol(.comma), .symbol(.semicolon), .symbol(.rightBrace), .endOfFile:
            return missingValue(behind: before)
        default: return nil
        }
    }

    /// Whether the token begins `["key"] =`.
    private var isKeyInBrackets: Bool { token(2)?.is(.rightBracket) == true && token(3)?.is(.assign) == true }

    private func missingValue(behind sign: LuaToken) -> LuaSyntaxMistake {
        let isTable = token.is(.assign) || token.is(.leftBracket)
        return LuaSyntaxMistake(
            behind: sign, "a value is missing here",
            hint: isTable ? "write { if a table begins here, or the value and a comma" : "write the value",
            edits: [])
    }

    /// A value immediately after another one.
    func missingComma(_ message: String) -> LuaSyntaxMistake? {
        guard message.hasPrefix("'}' expected") || message.hasPrefix("')' expected"), let previous = token(-1),
            previous.endsValue, token.beginsValue
        else { return nil }
        if previous.isString, touches(previous, token), token.name != nil {
            return LuaSyntaxMistake(
                at: previous, "the string that begins here ends before \(text(of: token).shortened)",
                hint: "close it with the same quote, and escape inner quotes as \\\"")
        }
        return LuaSyntaxMistake(
            behind: previous, "a comma is missing here", hint: "write , before \(text(of: token).shortened)",
            edits: [Correction.Edit(previous.range.upperBound..<previous.range.upperBound, ",")])
    }
}

extension String {
    /// The text for a hint; only the beginning of a long one.
    fileprivate var shortened: String { count > 30 ? prefix(30) + "…" : self }
}
