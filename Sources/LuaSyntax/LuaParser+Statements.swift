extension LuaParser {
    /// Reads statements up to the end of the region, or up to an `else` of the `if` that the region is.
    func parseBlock(endsAtElse: Bool = false) {
        let mark = begin()
        var followsReturn = false
        while !isAtEnd, !(endsAtElse && isAtElse) {
            if followsReturn { fail(kind.isCloser ? .surplus : .statementAfterReturn) }
            followsReturn = kind == .return
            parseStatement()
        }
        finish(.block, mark)
    }

    private var isAtElse: Bool { kind == .else || kind == .elseif }

    /// Reads a statement, or a token that begins none.
    private func parseStatement() {
        let mark = begin()
        switch kind {
        case .semicolon: next += 1
        case .local: parseLocal(mark)
        case .function:
            parseFunction(isLocal: false)
            finish(.function, mark)
        case .if:
            let outer = enter()
            parseIf()
            leave(outer)
            finish(.if, mark)
        case .while:
            next += 1
            parseCondition()
            expectLoopBody()
            finish(.while, mark)
        case .for: parseFor(mark)
        case .repeat:
            parseBody(isLoop: true)
            if tokens[next - 1].kind == .until { parseCondition() }
            finish(.repeat, mark)
        case .do:
            parseBody(isLoop: false)
            finish(.do, mark)
        case .return: parseReturn(mark)
        case .break:
            if loops == 0 { fail(.breakOutsideLoop) }
            next += 1
            finish(.break, mark)
        case .goto:
            next += 1
            expect(.name)
            finish(.goto, mark)
        case .doubleColon:
            next += 1
            expect(.name)
            expect(.doubleColon)
            finish(.label, mark)
        case .name, .leftParenthesis: parseAssignmentOrCall(mark)
        case .leftBrace: parseStrayTable(mark)
        default:
            fail(kind.isCloser ? .surplus : kind == .invalid ? .invalidToken : .unexpectedToken)
            next += 1
            finish(.error, mark)
        }
    }

    /// A table at the start of the file lacks its `return`.
    private func parseStrayTable(_ mark: Mark) {
        let isFirst = next == 0
        fail(isFirst ? .missingReturn : .unexpectedToken)
        _ = parseExpression()
        finish(isFirst ? .return : .error, mark)
    }

    private func parseBody(isLoop: Bool) {
        if isLoop { loops += 1 }
        let outer = enter()
        parseBlock()
        leave(outer)
        if isLoop { loops -= 1 }
    }

    private func expectLoopBody() {
        if kind == .do { parseBody(isLoop: true) } else { fail(.missing(.do)) }
    }

    func expectName() {
        let mark = begin()
        expect(.name)
        finish(.name, mark)
    }

    private func parseLocal(_ mark: Mark) {
        next += 1
        if kind == .function {
            parseFunction(isLocal: true)
            return finish(.localFunction, mark)
        }
        var hasClose = false
        repeat {
            expectName()
            if kind == .less { parseAttribute(&hasClose) }
        } while take(.comma)
        if take(.assign) { parseExpressions() }
        finish(.local, mark)
    }

    /// Reads `<const>`, or the one `<close>` that a statement may have.
    private func parseAttribute(_ hasClose: inout Bool) {
        let mark = begin()
        next += 1
        let isClose = has("close", at: next)
        if isClose && hasClose || !isClose && !has("const", at: next) { fail(.unknownAttribute) }
        hasClose = hasClose || isClose
        expect(.name)
        expect(.greater)
        finish(.attribute, mark)
    }

    private func parseIf() {
        parseCondition()
        expect(.then)
        parseBlock(endsAtElse: true)
        while isAtElse {
            let mark = begin()
            let isElse = kind == .else
            next += 1
            if !isElse {
                parseCondition()
                expect(.then)
            }
            parseBlock(endsAtElse: !isElse)
            finish(.clause, mark)
            if isElse { return }
        }
    }

    private func parseCondition() {
        if !parseExpression(isCondition: true) { fail(.missingValue) }
    }

    private func parseFor(_ mark: Mark) {
        next += 1
        let first = next
        repeat { expectName() } while take(.comma)
        if next == first + 1, take(.assign) {
            expectExpression()
            expect(.comma)
            expectExpression()
            if take(.comma) { expectExpression() }
        } else {
            if !take(.in) {
                fail(.missing(.in))
                _ = take(.assign)
            }
            parseExpressions()
        }
        expectLoopBody()
        finish(.for, mark)
    }

    private func parseReturn(_ mark: Mark) {
        next += 1
        if kind == .name, kind(at: next + 1) == .assign {
            fail(.missingBrace)
            let table = begin()
            parseFields()
            finish(.table, table)
        } else if kind.startsValue {
            parseExpressions()
        }
        _ = take(.semicolon)
        finish(.return, mark)
    }

    private func parseAssignmentOrCall(_ mark: Mark) {
        var target = parseChain()
        // `x += 1` or `x++`.
        if kind.isBinaryOperator, touchesNext(next), kind(at: next + 1) == .assign || kind(at: next + 1) == kind {
            next += 1
            takeForeignOperator()
            _ = parseExpression()
            return finish(.assignment, mark)
        }
        guard kind == .assign || kind == .comma else {
            if target != .arguments { fail(.notStatement, at: mark.token) }
            return
        }
        while true {
            if target == .arguments || target == .parenthesis { fail(.notAssignable, at: next - 1) }
            guard take(.comma) else { break }
            guard kind == .name || kind == .leftParenthesis else {
                fail(.missing(.name))
                break
            }
            target = parseChain()
        }
        expect(.assign)
        parseExpressions()
        finish(.assignment, mark)
    }

    /// Reads a function statement from its keyword, which is next.
    private func parseFunction(isLocal: Bool) {
        let outer = enter()
        let name = begin()
        expect(.name)
        while !isLocal, take(.dot) { expect(.name) }
        if !isLocal, take(.colon) { expect(.name) }
        finish(.name, name)
        parseFunctionBody()
        leave(outer)
    }
}
