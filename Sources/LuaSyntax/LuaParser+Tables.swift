extension LuaParser {
    func parseTable() {
        let mark = begin()
        let outer = enter(isTable: true)
        parseFields()
        leave(outer)
        finish(.table, mark)
    }

    func parseFields() {
        while !isAtEnd {
            let start = next
            if kind == .comma || kind == .semicolon { fail(.missingValue) } else { parseField() }
            if !takeSeparator(), !isAtEnd { recover(from: start) }
        }
    }

    /// Goes on after a field that no separator follows, or at the next field if a token begins none.
    private func recover(from start: Int) {
        if next > start, kind.startsValue || kind.isKeyword && kind(at: next + 1) == .assign {
            return fail(.missingSeparator)
        }
        let isComment = startsForeignComment
        fail(isComment ? .foreignComment : kind.isCloser ? .surplus : .unexpectedToken)
        let first = next
        skip {
            guard next > first else { return false }
            if isComment { return tokens[next].startsLine }
            let isKey = (kind == .name || kind == .string) && kind(at: next + 1) == .assign
            return isKey || kind == .comma || kind == .semicolon
        }
        if !isComment { _ = takeSeparator() }
    }

    /// Whether a comment of another language comes next: `//`, `/*`, or `#` at the start of a line with text behind it.
    private var startsForeignComment: Bool {
        switch kind {
        case .doubleSlash: true
        case .slash: kind(at: next + 1) == .star && touchesNext(next)
        // Two names in a row are not a value.
        case .hash:
            tokens[next].startsLine && kind(at: next + 1) == .name && kind(at: next + 2) == .name
                && !tokens[next + 2].startsLine
        default: false
        }
    }

    private func parseField() {
        let mark = begin()
        if kind == .leftBracket, isAtKeyInBrackets {
            expectOneInBrackets()
        } else if isAtKey {
            if kind != .name, kind(at: next + 1) != .colon { fail(mistakeOfKey) }
            next += 1
        } else {
            guard !startsForeignComment, parseExpression(), kind == .assign else { return }
            fail(.keyNeedsBrackets, at: mark.token)
        }
        if isArrow(at: next) {
            fail(.arrowForAssign)
            next += 2
        } else {
            if kind == .colon { fail(.colonForAssign) }
            next += 1
        }
        expectExpression()
        finish(.field, mark)
    }

    /// Whether a key comes next, followed by `=` or what stands for it.
    private var isAtKey: Bool {
        guard kind == .name || kind == .string || kind == .integer || kind == .invalid || kind.isKeyword else {
            return false
        }
        switch kind(at: next + 1) {
        case .assign: return true
        case .colon: return kind == .string || kind == .name && !isMethodCall(at: next + 1)
        default: return kind == .name && isArrow(at: next + 1)
        }
    }

    /// Why the next token cannot be a key without brackets.
    private var mistakeOfKey: LuaSyntaxError.Kind {
        switch kind {
        case .string: .keyInQuotes
        case .integer: .keyIsNumber
        case .invalid: .invalidToken
        default: .keyIsKeyword
        }
    }

    /// `=>` or `->`.
    private func isArrow(at index: Int) -> Bool {
        (kind(at: index) == .assign || kind(at: index) == .minus) && kind(at: index + 1) == .greater
            && touchesNext(index)
    }
}
