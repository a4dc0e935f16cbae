import LuaBridge

/// What is opened and not closed, or closed and not opened.
extension LuaTokenText {
    private struct Opener {
        let token: LuaToken
        /// The first column of its line that is no space.
        let indentation: Int
    }

    /// A bracket, a block or a long text that is not closed.
    ///
    /// - Parameter message: What Lua said.
    func unclosed(_ message: String) -> LuaSyntaxMistake? {
        if message.hasPrefix("unfinished long") {
            guard let start = tokens.last(where: { $0.kind == .invalid }) else { return nil }
            return LuaSyntaxMistake(
                at: start, "the long text or comment that begins here is not closed", hint: "write ]] at its end")
        }
        let (open, suspect) = openers
        let isAtEnd = token.kind == .endOfFile
        if isAtEnd || message.contains("(to close") || message.hasPrefix("')' expected")
            || message.hasPrefix("']' expected") || Self.closes(token) && message.contains("expected near")
        {
            // Where a closing bracket or word stands further left than the line of what it closes, something in between
            // was not closed.
            guard !token.beginsValue, let opener = suspect ?? open.last else {
                return token.beginsValue || isAtEnd ? nil : surplus(message)
            }
            let word = text(of: opener.token)
            return LuaSyntaxMistake(
                at: opener.token, "\(word) is opened here and not closed",
                hint: "write \(Self.closing(opener.token)) where it ends")
        }
        return surplus(message)
    }

    private func surplus(_ message: String) -> LuaSyntaxMistake? {
        guard message.hasPrefix("<eof> expected") else { return nil }
        switch token.kind {
        case .symbol(.rightBrace), .symbol(.rightParenthesis), .symbol(.rightBracket), .keyword(.end):
            let word = text(of: token)
            return LuaSyntaxMistake(
                at: token, "there is one \(word) too many", hint: "remove it, or what closes too early before it")
        default:
            return LuaSyntaxMistake(
                at: token, "nothing can stand behind what a file returns",
                hint: "move it into the table, or before return")
        }
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

    /// What is open at the token, and the one that, by indentation, was meant to be closed before.
    private var openers: (open: [Opener], suspect: Opener?) {
        var open: [Opener] = []
        var suspect: Opener?
        var (line, indentation) = (0, 0)
        for token in tokens[..<index] {
            let isFirst = token.line != line
            if isFirst { (line, indentation) = (token.line, token.column) }
            if Self.opens(token) {
                open.append(Opener(token: token, indentation: indentation))
            } else if Self.closes(token), let opener = open.last, Self.closing(opener.token) == text(of: token) {
                open.removeLast()
                if isFirst, indentation < opener.indentation, suspect == nil { suspect = opener }
            }
        }
        return (open, suspect)
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
