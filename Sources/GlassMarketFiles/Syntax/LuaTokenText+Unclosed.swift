import LuaBridge

/// What is opened and not closed, or closed and not opened.
extension LuaTokenText {
    private struct Opener {
        let token: LuaToken
        /// The first column of its line that is no space.
        let indentation: Int
        /// Whether what it opens begins on the next line.
        let isLastOfLine: Bool
    }

    /// What is open at the token where Lua stopped, and what does not fit the lines.
    private struct Nesting {
        var open: [Opener] = []
        /// What, by the indentation of what closes it, was to be closed before.
        var unclosed: Opener?
        /// What, by where it stands, was not to close what it closes.
        var surplus: LuaToken?
        /// Whether that one closes something.
        var surplusCloses = false
        /// How many more brackets and blocks the whole text opens than it closes.
        var balance = 0
    }

    /// A bracket, a block or a long text that is not closed.
    func unclosed(_ message: String) -> LuaSyntaxMistake? {
        if message.hasPrefix("unfinished long comment") { return unclosedComment(message) }
        if message.hasPrefix("unfinished long") {
            guard let start = tokens.last(where: { $0.kind == .invalid }) else { return nil }
            return LuaSyntaxMistake(
                at: start, "the long text that begins here is not closed",
                hint: Self.end(ofLong: text(of: start)))
        }
        let nesting = nesting
        if nesting.balance < 0, let surplus = nesting.surplus { return tooMany(surplus, closes: nesting.surplusCloses) }
        let isAtEnd = token.kind == .endOfFile
        if isAtEnd || message.contains("(to close") || message.hasPrefix("')' expected")
            || message.hasPrefix("']' expected") || Self.closes(token) && message.contains("expected near")
        {
            // Where a closing bracket or word stands further left than the line of what it closes, something in between
            // was not closed.
            guard !token.beginsValue, let opener = nesting.unclosed ?? nesting.open.last else {
                return token.beginsValue || isAtEnd ? nil : surplus(message)
            }
            let (word, closing) = (text(of: opener.token), Self.closing(opener.token))
            var mistake = LuaSyntaxMistake(
                at: opener.token, "\(word) is opened here and not closed", hint: "write \(closing) where it ends")
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
                at: token, "nothing can stand behind what a file returns",
                hint: "move it into the table, or before return")
        }
    }

    /// A comment that is not closed is no token: Lua says in which line it begins.
    private func unclosedComment(_ message: String) -> LuaSyntaxMistake? {
        guard let number = message.firstMatch(of: /starting at line ([0-9]+)/)?.1, let line = Int(number) else {
            return nil
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: line, omittingEmptySubsequences: false)
        // Of a longer line each opening would be looked for up to the end.
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

    /// What to write at the end of a text in long brackets: as many equals signs as it begins with.
    private static func end(ofLong text: some StringProtocol) -> String {
        "write ]\(String(text.dropFirst().prefix { $0 == "=" }))] at its end"
    }

    private func tooMany(_ token: LuaToken, closes: Bool = false) -> LuaSyntaxMistake {
        LuaSyntaxMistake(
            at: token, "there is one \(text(of: token)) too many",
            hint: closes && first(onLineOf: token) != token
                ? "remove it, or open on this line what it closes" : "remove it, or what closes too early before it")
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
                // What closes a table of several lines begins a line, as far to the left as the line that opens it.
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
