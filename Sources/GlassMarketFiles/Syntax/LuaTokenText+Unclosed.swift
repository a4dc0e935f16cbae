import LuaBridge

/// Tokens that open without being closed, or close without being opened.
extension LuaTokenText {
    private struct Opener {
        let token: LuaToken
        /// The first column of its line that is not white space.
        let indentation: Int
        /// Whether its contents begin on the next line.
        let isLastOfLine: Bool
    }

    /// The tokens that are open at the token where Lua stopped, and those that do not fit the layout.
    private struct Nesting {
        var open: [Opener] = []
        /// The token that should have been closed before, according to the indentation of a later closing token.
        var unclosed: Opener?
        /// The token that should not close anything, according to its position.
        var surplus: LuaToken?
        /// Whether that token does close something.
        var surplusCloses = false
        /// The number of brackets and blocks that the whole text opens, minus those that it closes.
        var balance = 0
    }

    /// A bracket, a block or a long string that is not closed.
    func unclosed(_ message: String) -> LuaSyntaxMistake? {
        if message.hasPrefix("unfinished long comment") { return unclosedComment(message) }
        if message.hasPrefix("unfinished long") {
            guard let start = tokens.last(where: { $0.kind == .invalid }) else { return nil }
            return LuaSyntaxMistake(
                at: start, "the long string that begins here is not closed",
                hint: Self.end(ofLong: text(of: start)))
        }
        let nesting = nesting
        if nesting.balance < 0, let surplus = nesting.surplus { return tooMany(surplus, closes: nesting.surplusCloses) }
        let isAtEnd = token.kind == .endOfFile
        if isAtEnd || message.contains("(to close") || message.hasPrefix("')' expected")
            || message.hasPrefix("']' expected") || Self.closes(token) && message.contains("expected near")
        {
            // If a closing token is further left than the line of the token that it closes, something in between was
            // not closed.
            guard !token.beginsValue, let opener = nesting.unclosed ?? nesting.open.last else {
                return token.beginsValue || isAtEnd ? nil : surplus(message)
            }
            let (word, closing) = (text(of: opener.token), Self.closing(opener.token))
            var mistake = LuaSyntaxMistake(
                at: opener.token, "\(word) is opened here but not closed", hint: "write \(closing) where it ends")
            mistake.noticed = LuaSyntaxMistake.Notice(
                line: token.line, column: token.column,
                message: isAtEnd ? "the file ends here without \(closing)" : "before this, \(closing) is missing")
            return mistake
        }
        return surplus(message)
    }

    private func surplus(_ message: String) -> LuaSyntaxMistake? {
        guard message.hasPrefix("<eof> expected") else { return nil }
        switch token.kind {
        case .symbol(.rightBrace), .symbol(.rightParenthesis), .symbol(.rightBracket), .keyword(.end):
            return tooMany(token)
        default:
            return LuaSyntaxMistake(
                at: token, "nothing may follow the return statement",
                hint: "move it into the table, or before return")
        }
    }

    /// A comment that is not closed is not a token, but Lua reports the line on which it begins.
    private func unclosedComment(_ message: String) -> LuaSyntaxMistake? {
        guard let number = message.firstMatch(of: /starting at line ([0-9]+)/)?.1, let line = Int(number) else {
            return nil
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: line, omittingEmptySubsequences: false)
        // Longer lines are skipped, because the rest of the line would be searched for each opening.
        guard lines.indices.contains(line - 1), lines[line - 1].count <= 4096 else { return nil }
        let text = String(decoding: lines[line - 1], as: UTF8.self)
        let start = text.matches(of: /--\[(=*)\[/).first { match in
            !text[match.range.upperBound...].contains("]\(match.1)]")
        }
        guard let start else { return nil }
        var mistake = LuaSyntaxMistake(
            at: nil, "the comment that begins here is not closed", hint: "write ]\(start.1)] at its end")
        (mistake.line, mistake.column) = (line, text[..<start.range.lowerBound].unicodeScalars.count + 1)
        return mistake
    }

    /// The hint for the end of a text in long brackets: as many equals signs as at its beginning.
    private static func end(ofLong text: some StringProtocol) -> String {
        "write ]\(String(text.dropFirst().prefix { $0 == "=" }))] at its end"
    }

    private func tooMany(_ token: LuaToken, closes: Bool = false) -> LuaSyntaxMistake {
        LuaSyntaxMistake(
            at: token, "there is one \(text(of: token)) too many",
            hint: closes && first(onLineOf: token) != token
                ? "remove it, or add its counterpart on this line"
                : "remove it, or an earlier one that closes too soon")
    }

    private static func closing(_ token: LuaToken) -> String {
        switch token.kind {
        case .symbol(.leftBrace): "}"
        case .symbol(.leftParenthesis): ")"
        case .symbol(.leftBracket): "]"
        case .keyword(.repeat): "until"
        default: "end"
        }
    }

    private var nesting: Nesting {
        var nesting = Nesting()
        var (line, indentation) = (0, 0)
        for (position, token) in tokens.enumerated() {
            let isFirst = token.line != line
            if isFirst { (line, indentation) = (token.line, token.column) }
            nesting.balance += Self.opens(token) ? 1 : Self.closes(token) ? -1 : 0
            guard position < index || nesting.open.isEmpty && position == index else { continue }
            if Self.opens(token) {
                let isLast = position + 1 < tokens.count && tokens[position + 1].line > token.line
                nesting.open.append(Opener(token: token, indentation: indentation, isLastOfLine: isLast))
            } else if Self.closes(token) {
                guard let opener = nesting.open.last, Self.closing(opener.token) == text(of: token) else {
                    if nesting.open.isEmpty { nesting.surplus = nesting.surplus ?? token }
                    continue
                }
                nesting.open.removeLast()
                if isFirst, indentation < opener.indentation, nesting.unclosed == nil { nesting.unclosed = opener }
                // The closing token of a table of several lines begins a line, and is not further right than the line
                // that opens it.
                let fits = isFirst ? indentation <= opener.indentation : !opener.isLastOfLine
                if !fits, opener.token.line < line, nesting.surplus == nil {
                    (nesting.surplus, nesting.surplusCloses) = (token, true)
                }
            }
        }
        return nesting
    }

    private static func opens(_ token: LuaToken) -> Bool {
        switch token.kind {
        case .symbol(.leftBrace), .symbol(.leftParenthesis), .symbol(.leftBracket), .keyword(.function), .keyword(.do),
            .keyword(.if), .keyword(.repeat):
            true
        default: false
        }
    }

    private static func closes(_ token: LuaToken) -> Bool {
        switch token.kind {
        case .symbol(.rightBrace), .symbol(.rightParenthesis), .symbol(.rightBracket), .keyword(.end), .keyword(.until):
            true
        default: false
        }
    }
}
