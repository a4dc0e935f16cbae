extension LuaParser {
    func parseExpressions() {
        repeat { expectExpression() } while take(.comma)
    }

    func expectExpression() {
        if !parseExpression() { fail(.missingValue) }
    }

    /// Reads an expression; returns whether there is one. In a condition, `=` is taken for `==`.
    func parseExpression(isCondition: Bool = false) -> Bool {
        let mark = begin()
        takeUnaryOperators()
        var isOperation = next > mark.token
        if !parseOperand(isCondition) {
            guard isOperation else { return false }
            fail(.missingValue)
        }
        while kind.isBinaryOperator || isCondition && kind == .assign {
            if kind == .assign { fail(.assignForEqual) }
            next += 1
            takeForeignOperator()
            takeUnaryOperators()
            isOperation = true
            guard parseOperand(isCondition) else {
                fail(.missingValue)
                break
            }
        }
        if isOperation { finish(.operation, mark) }
        return true
    }

    private func takeUnaryOperators() {
        while kind.isUnaryOperator { next += 1 }
    }

    /// Takes the second sign of `&&`, `||`, `===`, `++` or `+=`.
    func takeForeignOperator() {
        guard kind == tokens[next - 1].kind || kind == .assign, touchesNext(next - 1), !kind.isUnaryOperator else {
            return
        }
        fail(.foreignOperator, at: next - 1)
        next += 1
    }

    private func parseOperand(_ isCondition: Bool) -> Bool {
        let mark = begin()
        switch kind {
        case .ellipsis, .nil, .true, .false, .string, .integer, .float, .invalid:
            if kind == .invalid { fail(.invalidToken) }
            if kind == .ellipsis, !takesVarargs { fail(.varargsOutsideFunction) }
            next += 1
            finish(.literal, mark)
        case .function:
            let outer = enter()
            parseFunctionBody()
            leave(outer)
            finish(.functionValue, mark)
        case .leftBrace: parseTable()
        case .leftBracket where !isAtKeyInBrackets:
            fail(.listInBrackets)
            parseTable()
        case .name where !isCondition && kind(at: next + 1) == .assign:
            // The next key: the value before it is missing. After a hyphen, it is the rest of a key such as `max-age`.
            guard next > 0, tokens[next - 1].kind == .minus, touchesNext(next - 1) else { return false }
            parseChain()
        case .name, .leftParenthesis: parseChain()
        default: return false
        }
        return true
    }

    /// Reads a name or parenthesis with its parts; returns the kind of the last part.
    @discardableResult
    func parseChain() -> LuaNodeKind {
        let mark = begin()
        var last = LuaNodeKind.name
        if !take(.name) {
            expectOneInBrackets()
            last = .parenthesis
        }
        finish(last, mark)
        var isChain = false
        while let part = parsePart() {
            last = part
            isChain = true
        }
        if isChain { finish(.chain, mark) }
        return last
    }

    /// Reads what may follow a name or a call, if anything.
    private func parsePart() -> LuaNodeKind? {
        let mark = begin()
        var part = LuaNodeKind.arguments
        switch kind {
        case .leftBrace:
            parseTable()
            return part
        case .string, .invalid:
            // An unfinished string on the line is the argument of the word before it.
            if kind == .invalid {
                guard isUnfinishedString(at: next), !tokens[next].startsLine else { return nil }
                fail(.invalidToken)
            }
            next += 1
            finish(.literal, mark)
            return part
        case .leftParenthesis: parseArguments()
        case .dot:
            next += 1
            expect(.name)
            part = .member
        case .leftBracket:
            // The key of the next line, after a value without its comma.
            if isInTable, tokens[next].startsLine, isAtKeyInBrackets { return nil }
            expectOneInBrackets()
            part = .index
        case .colon:
            let hasName = kind(at: next + 1) == .name
            if !isMethodCall(at: next) {
                if isInTable { return nil }
                fail(.missing(hasName ? .leftParenthesis : .name), at: next + (hasName ? 2 : 1))
            }
            next += hasName ? 2 : 1
            part = .method
        default: return nil
        }
        finish(part, mark)
        return part
    }

    func isMethodCall(at colon: Int) -> Bool {
        guard kind(at: colon + 1) == .name else { return false }
        let argument = kind(at: colon + 2)
        return argument == .leftParenthesis || argument == .leftBrace || argument == .string
    }

    func expectOneInBrackets() {
        let outer = enter()
        expectExpression()
        leave(outer)
    }

    private func parseArguments() {
        let outer = enter()
        var start = next
        if !isAtEnd { parseExpressions() }
        while kind.startsValue, next > start {
            start = next
            fail(.missingSeparator)
            parseExpressions()
        }
        leave(outer)
    }

    /// Reads parameters and statements up to the end of the region, which is that of the function.
    func parseFunctionBody() {
        let outer = (loops, takesVarargs)
        (loops, takesVarargs) = (0, false)
        parseParameters()
        parseBlock()
        (loops, takesVarargs) = outer
    }

    private func parseParameters() {
        let mark = begin()
        if kind == .leftParenthesis {
            let outer = enter()
            if !isAtEnd {
                repeat {
                    takesVarargs = take(.ellipsis)
                    if !takesVarargs { expectName() }
                } while !takesVarargs && take(.comma)
            }
            leave(outer)
        } else {
            fail(.missing(.leftParenthesis))
        }
        finish(.parameters, mark)
    }
}
