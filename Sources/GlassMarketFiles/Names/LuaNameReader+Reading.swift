import LuaBridge

extension LuaNameReader {
    // MARK: Statements

    func readStatement() {
        guard case .keyword(let keyword) = token.kind else {
            switch token.kind {
            case .name, .symbol(.leftParenthesis): return begin(.targets)
            case .symbol(.doubleColon):
                advance()
                if takeName() != nil { take(.doubleColon) }
                return
            default: return advance()  // `;`, or an invalid token
            }
        }
        advance()
        switch keyword {
        case .local: readLocal()
        case .function: readFunctionStatement()
        case .return: if !endsBlock { begin(.plain) }
        case .if, .while: begin(.plain)  // `then` and `do` open the block
        case .elseif:
            closeBlock()
            begin(.plain)
        case .else:
            closeBlock()
            openBlock()
        case .then, .do: openBlock()
        case .for: readLoop()
        case .repeat: openBlock()
        case .until: begin(.until)
        case .end: readEnd()
        case .goto: _ = takeName()
        default: break
        }
    }

    private func begin(_ purpose: Purpose) {
        key = nil
        frames.append(.expressions(purpose))
        mode = .operand
    }

    private var endsBlock: Bool {
        switch token.kind {
        case .keyword(.end), .keyword(.else), .keyword(.elseif), .keyword(.until), .symbol(.semicolon), .endOfFile: true
        default: false
        }
    }

    private func readEnd() {
        let block = closeBlock()
        mode = block?.isValue == true ? .suffix(isPrefix: false) : .statement
    }

    private func readLocal() {
        if isAt(.function) {
            advance()
            let function = addFunction()
            if let name = takeName() { declare(name, function: function) }  // in scope in its own body
            return openFunction(isValue: false, function: function)
        }
        var declared: [String] = []
        while let name = takeName() {
            declared.append(name)
            if take(.less) {  // an attribute: `local x <const>`
                _ = takeName()
                take(.greater)
            }
            guard take(.comma) else { break }
        }
        if take(.assign) {
            if declared.count == 1 { valueStart = token.range.lowerBound }
            return begin(.local(declared))
        }
        for name in declared { declare(name) }
    }

    /// Reads `function a.b:c`, which assigns to `a.b.c`.
    private func readFunctionStatement() {
        key = nil
        let start = place
        var isMethod = false
        if let name = takeName() {
            note(name, at: start, isAssigned: !isAt(.dot) && !isAt(.colon))
            if let parameter { markUnrestricted(parameter) }
            parameter = nil
            while isAt(.dot) || isAt(.colon) {
                isMethod = isAt(.colon)
                advance()
                _ = takeName()
            }
        }
        openFunction(isValue: false, isMethod: isMethod)
    }

    private func readLoop() {
        var declared: [String] = []
        while let name = takeName() {
            declared.append(name)
            guard take(.comma) else { break }
        }
        if isAt(.in) || isAt(.assign) { advance() }
        begin(.loop(declared))
    }

    /// Ends the expressions of a statement.
    private func end(_ purpose: Purpose) {
        mode = .statement
        switch purpose {
        case .plain, .targets: break
        case .local(let declared):
            let function = functionBehind
            for name in declared { declare(name, function: declared.count == 1 ? function : nil) }
        case .loop(let declared):
            guard isAt(.do) else { return }
            advance()
            openBlock()
            for name in declared { declare(name) }
        case .until: closeBlock()
        }
    }

    // MARK: Expressions

    func readOperand() {
        switch token.kind {
        case .symbol(.minus), .symbol(.hash), .symbol(.tilde), .keyword(.not): advance()
        case .keyword(.function):
            let isValueOfLocal = valueStart == token.range.lowerBound
            advance()
            openFunction(isValue: true, function: isValueOfLocal ? addFunction() : nil)
        case .symbol(.leftBrace): openTable(isArgument: false)
        case .symbol(.leftParenthesis):
            advance()
            key = nil
            frames.append(.parenthesis)
        case .name(let name):
            let start = place
            advance()
            note(name, at: start, isAssigned: isTarget)
            mode = .suffix(isPrefix: true)
        case .string, .integer, .float, .invalid, .symbol(.ellipsis), .keyword(.nil), .keyword(.true), .keyword(.false):
            advance()
            mode = .suffix(isPrefix: false)
        default: mode = .suffix(isPrefix: false)  // no operand, as in `f()`
        }
        if case .operand = mode {} else { key = nil }
    }

    /// Whether a name that was just read is assigned.
    private var isTarget: Bool {
        guard case .expressions(.targets)? = frames.last else { return false }
        return isAt(.assign) || isAt(.comma)
    }

    private func openTable(isArgument: Bool) {
        advance()
        frames.append(.table(Table(isArgument: isArgument)))
        readField()
    }

    /// Reads the key of a field, up to its value, or the end of the table.
    private func readField() {
        key = nil
        mode = .operand
        while isAt(.comma) || isAt(.semicolon) { advance() }
        if isAt(.rightBrace) {
            mode = .suffix(isPrefix: false)
        } else if isAt(.leftBracket) {
            advance()
            if case .string(let bytes) = token.kind, following.kind == .symbol(.rightBracket) {
                note(key: String(decoding: bytes, as: UTF8.self))
            } else if case .integer(let number) = token.kind, following.kind == .symbol(.rightBracket) {
                note(key: "[\(number)]")
            }
            frames.append(.key)
        } else if case .name(let name) = token.kind, following.kind == .symbol(.assign) {
            note(key: name)
            advance()
            advance()
            key = name
        }
    }

    private func note(key: String) {
        guard case .table(var table)? = frames.last else { return }
        if let first = table.keys[key] {
            guard names.duplicates.count < LuaNames.most else { return }
            names.duplicates.append(LuaNames.Duplicate(key: key, place: place, first: first))
        } else {
            frames.removeLast()  // taken out first, so that the keys are not copied
            table.keys[key] = place
            frames.append(.table(table))
        }
    }

    func readSuffix(isPrefix: Bool) {
        guard case .symbol(let symbol) = token.kind else {
            switch token.kind {
            case .string where isPrefix: advance()
            case .keyword(.and), .keyword(.or):
                advance()
                mode = .operand
            default: finish()
            }
            parameter = nil
            return
        }
        switch symbol {
        case .dot where isPrefix, .colon where isPrefix:
            let owner = parameter
            noteMember()
            advance()
            _ = takeName()
            if let owner, isTarget { markUnrestricted(owner) }
        case .leftBracket where isPrefix: open(.index)
        case .leftParenthesis where isPrefix: open(.arguments)
        case .leftBrace where isPrefix: openTable(isArgument: true)
        case .comma: readComma()
        case .semicolon:
            if case .table? = frames.last { readField() } else { finish() }
        case .assign:
            guard case .expressions(.targets)? = frames.last else { return finish() }
            frames[frames.count - 1] = .expressions(.plain)
            advance()
            mode = .operand
        case .rightParenthesis, .rightBracket, .rightBrace: close(symbol)
        case .plus, .minus, .star, .slash, .doubleSlash, .percent, .caret, .ampersand, .tilde, .pipe, .shiftLeft,
            .shiftRight, .equal, .notEqual, .lessOrEqual, .greaterOrEqual, .less, .greater, .concatenate:
            advance()
            mode = .operand
        default: finish()
        }
    }

    private func open(_ frame: Frame) {
        advance()
        parameter = nil
        key = nil
        frames.append(frame)
        mode = .operand
    }

    private func readComma() {
        switch frames.last {
        case .table?: readField()
        case .expressions?, .arguments?:
            advance()
            mode = .operand
        default: finish()
        }
    }

    private func close(_ symbol: LuaToken.Symbol) {
        switch (frames.last, symbol) {
        case (.parenthesis?, .rightParenthesis), (.arguments?, .rightParenthesis), (.index?, .rightBracket):
            frames.removeLast()
            advance()
            mode = .suffix(isPrefix: true)
        case (.key?, .rightBracket):
            frames.removeLast()
            advance()
            take(.assign)
            mode = .operand
        case (.table(let table)?, .rightBrace):
            frames.removeLast()
            advance()
            mode = .suffix(isPrefix: table.isArgument)
        default: finish()
        }
    }

    /// Ends the innermost frame, because the token belongs to the one around it.
    private func finish() {
        switch frames.last {
        case nil, .block?: mode = .statement
        case .expressions(let purpose)?:
            frames.removeLast()
            end(purpose)
        case .parenthesis?, .arguments?, .index?, .key?, .table?:
            frames.removeLast()
            mode = .suffix(isPrefix: true)
        }
    }
}
