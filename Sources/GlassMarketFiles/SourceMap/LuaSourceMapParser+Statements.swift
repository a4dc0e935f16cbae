import LuaBridge

extension LuaSourceMapParser {
    /// Parses the whole source and completes `root` and `tables`.
    func parse() {
        while !isAtEnd {
            parseStatement()
        }
    }

    func parseStatement() {
        switch token.kind {
        case .keyword(let keyword):
            advanceOverKeywordStatement(keyword)
        case .name, .symbol(.leftParenthesis):
            parseAssignmentOrCall()
        case .symbol(.doubleColon):
            advance()
            if takeName() != nil { take(.doubleColon) }
        default:
            advance()
        }
    }

    private func advanceOverKeywordStatement(_ keyword: LuaToken.Keyword) {
        let start = position
        advance()
        switch keyword {
        case .local:
            parseLocal()
        case .function:
            parseFunctionStatement(start: start)
        case .return:
            parseReturn(start: start)
        case .if:
            _ = parseExpression()  // `then` opens the block
        case .while:
            _ = parseExpression()
            if take(.do) { openBlock(isConditional: true) }
        case .elseif:
            closeBlock()
            _ = parseExpression()
        case .then:
            openBlock(isConditional: true)
        case .else:
            closeBlock()
            openBlock(isConditional: true)
        case .for:
            parseForHeader()
        case .do:
            openBlock(isConditional: false)
        case .repeat:
            openBlock(isConditional: true)
        case .until:
            _ = parseExpression()
            closeBlock()
        case .end:
            closeBlock()
        default:
            break
        }
    }

    private func parseLocal() {
        if take(.function) {
            let name = takeName()
            let function = parseFunctionBody(depth: 0)
            if let name { declare(name, holding: function) }
            return
        }
        var names: [String] = []
        while let name = takeName() {
            names.append(name)
            if take(.less) {  // an attribute: `local x <const>`
                _ = takeName()
                take(.greater)
            }
            guard take(.comma) else { break }
        }
        let values = take(.assign) ? parseExpressionList() : []
        // The values are parsed first, because a name in them refers to the variable that the new local shadows.
        for (index, name) in names.enumerated() {
            declare(name, holding: index < values.count ? values[index].table : nil)
        }
    }

    /// Parses `for a, b in …` or `for a = …` up to the `do`, which opens the block.
    private func parseForHeader() {
        var names: [String] = []
        while let name = takeName() {
            names.append(name)
            guard take(.comma) else { break }
        }
        if take(.in) || take(.assign) { _ = parseExpressionList() }
        guard take(.do) else { return }
        openBlock(isConditional: true)
        for name in names {
            declare(name, holding: nil)
        }
    }

    /// Parses `function a.b:c() … end`, which assigns to `a.b.c`.
    private func parseFunctionStatement(start: Position) {
        var target = Chain(position: position)
        if let name = takeName() {
            target.root = .variable(name)
            target.keyPosition = target.position
            while isAt(.dot) || isAt(.colon) {
                advance()
                target.keyPosition = position
                guard let key = takeName() else { break }
                target.path.append(.key(key))
                target.positions.append(target.keyPosition)
            }
        }
        assign(Expression(position: start, table: parseFunctionBody(depth: 0)), to: target)
    }

    private func parseReturn(start: Position) {
        let hasValue = !isAtEnd && !isAt(.end) && !isAt(.semicolon)
        let value = hasValue ? parseExpression() : Expression(position: start)
        if let function = blocks.last(where: { $0.function != nil })?.function {
            // If there are several, the last one with known content is used.
            let known = tables[function].entries[.result]
            guard value.table != nil || known == nil else { return }
            order += 1
            tables[function].entries[.result] = Entry(
                keyPosition: start, valuePosition: value.position, table: value.table, isExact: false, order: order)
            return
        }
        // If there are several, the one outside all blocks is used, because it is unknown which one runs.
        guard blocks.isEmpty || !hasFinalReturn else { return }
        hasFinalReturn = blocks.isEmpty
        root = Entry(
            keyPosition: start, valuePosition: value.position, table: value.table, isExact: returnCount == 0)
        returnCount += 1
    }

    private func parseAssignmentOrCall() {
        let first = parseChain(depth: 0)
        guard isAt(.comma) || isAt(.assign) else { return }
        var targets = [first]
        while take(.comma) {
            guard isAtChain else { break }
            targets.append(parseChain(depth: 0))
        }
        guard take(.assign) else { return }
        let values = parseExpressionList()
        for (index, target) in targets.enumerated() {
            // Targets beyond the values get the results of the last call.
            guard let last = values.last else { return }
            assign(index < values.count ? values[index] : Expression(position: last.position), to: target)
        }
    }

    // MARK: Assigning

    /// Sets the variable or the key that `target` names.
    private func assign(_ value: Expression, to target: Chain) {
        guard case .variable(let name)? = target.root else { return }
        guard let last = target.path.indices.last else {
            if isConditional, let table = value.table, case .some(.some) = variables[name] {
                tables[table].isCertain = false
            }
            variables.updateValue(value.table, forKey: name)
            return
        }
        var table = content(of: name)
        for index in target.path.indices.dropLast() {
            table = content(of: target.path[index], at: target.positions[index], in: table)
        }
        let entry = Entry(
            keyPosition: target.positions[last], valuePosition: value.position, table: value.table)
        set(target.path[last], to: entry, in: table)
    }

    /// The table that a variable holds; if it is not known, a new one for what the source sets in it.
    private func content(of variable: String) -> Int {
        if case .some(.some(let table)) = variables[variable] { return table }
        let table = makeTable()
        variables.updateValue(table, forKey: variable)
        return table
    }

    /// The table of a key; if it is not known, a new one for what the source sets in it.
    private func content(of element: PathElement?, at position: Position, in table: Int) -> Int {
        let existing = element.map { tables[table].entries[$0] } ?? tables[table].computed
        if let known = existing?.table { return known }
        let created = makeTable()
        if let element, let included = tables[table].included {
            tables[created].included = descend(included, to: element)
        }
        guard isOwn(table) else { return created }
        if existing == nil { order += 1 }
        var entry = existing ?? Entry(keyPosition: position, valuePosition: position, isImplied: true, order: order)
        entry.table = created
        if let element {
            tables[table].entries[element] = entry
        } else {
            tables[table].computed = entry
        }
        return created
    }

    /// Sets a key; if `element` is nil, sets the entry for all keys that are not literals.
    func set(_ element: PathElement?, to entry: Entry, in table: Int) {
        guard isOwn(table) else { return }
        order += 1
        var entry = entry
        entry.order = order
        if let element {
            // Under a condition or in a loop, an earlier assignment may be the one in effect.
            if isConditional, tables[table].entries[element] != nil { entry.isExact = false }
            tables[table].entries[element] = entry
        } else {
            tables[table].computed = entry
        }
    }

    func makeTable() -> Int {
        tables.append(Table())
        return tables.count - 1
    }

    /// The path of `element` in an included table; nil if it is longer than any path that is looked up.
    func descend(_ included: LuaSourceMap.Included, to element: PathElement) -> LuaSourceMap.Included? {
        guard included.path.count < Self.maximumIncludePath else { return nil }
        return LuaSourceMap.Included(file: included.file, path: included.path + [element])
    }
}
