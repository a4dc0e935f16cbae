import LuaBridge

extension LuaSourceMapParser {
    /// The properties of an expression that are known.
    struct Expression {
        /// The position at which it starts.
        var position: Position
        /// The index of its table, if the content is known.
        var table: Int?
        /// Its key, if it is a literal string or integer.
        var literal: PathElement?
        /// Whether it can have any number of values: a call or `...`.
        var isMultiple = false
    }

    /// A variable or a parenthesized expression with the keys and calls that follow it: `a.b["c"]`.
    struct Chain {
        /// The start of a chain.
        enum Root {
            case variable(String)
            case value(Int?)
        }

        var position: Position
        /// Nil once a call has made it unknown.
        var root: Root?
        /// The keys; nil for a computed one.
        var path: [PathElement?] = []
        /// The position of each key.
        var positions: [Position] = []
        /// The position of the last key, or of the variable if there is no key.
        var keyPosition = Position(line: 1, column: 1)
        /// Whether it ends with a call.
        var isCall = false
    }

    /// The arguments of a call.
    private struct Arguments {
        var first: Expression?
        var last: Expression?
        var count = 0

        mutating func add(_ argument: Expression) {
            if count == 0 { first = argument }
            last = argument
            count += 1
        }
    }

    var isAtChain: Bool {
        if case .name = token.kind { return true }
        return isAt(.leftParenthesis)
    }

    func parseExpressionList() -> [Expression] {
        var result: [Expression] = []
        repeat {
            result.append(parseExpression())
        } while take(.comma)
        return result
    }

    /// Parses an expression. Consumes no token if there is none.
    func parseExpression(depth: Int = 0) -> Expression {
        let start = position
        let sign = takeUnaryOperators()
        var result = parseOperand(depth: depth)
        if let sign { result = Expression(position: start, literal: sign < 0 ? negated(result.literal) : nil) }
        guard isBinaryOperator else { return result }
        repeat {
            advance()
            _ = takeUnaryOperators()
            _ = parseOperand(depth: depth)
        } while isBinaryOperator
        return Expression(position: start)
    }

    /// Skips the operators before an operand.
    private func takeUnaryOperators() -> Int? {
        var sign: Int?
        while isUnaryOperator {
            sign = sign == nil && isAt(.minus) ? -1 : 0
            advance()
        }
        return sign
    }

    private func negated(_ literal: PathElement?) -> PathElement? {
        guard case .index(let index)? = literal else { return nil }
        return .index(0 &- index)
    }

    private var isUnaryOperator: Bool {
        switch token.kind {
        case .symbol(.minus), .symbol(.hash), .symbol(.tilde), .keyword(.not): true
        default: false
        }
    }

    private var isBinaryOperator: Bool {
        switch token.kind {
        case .keyword(.and), .keyword(.or): true
        case .symbol(let symbol):
            switch symbol {
            case .plus, .minus, .star, .slash, .doubleSlash, .percent, .caret, .ampersand, .tilde, .pipe, .shiftLeft,
                .shiftRight, .equal, .notEqual, .lessOrEqual, .greaterOrEqual, .less, .greater, .concatenate:
                true
            default: false
            }
        default: false
        }
    }

    /// The kind of token with which an operand starts.
    private enum OperandStart {
        case literal, function, table, chain, nothing
    }

    private var operandStart: OperandStart {
        switch token.kind {
        case .string, .integer, .float, .invalid, .symbol(.ellipsis), .keyword(.nil), .keyword(.true), .keyword(.false):
            .literal
        case .keyword(.function): .function
        case .symbol(.leftBrace): .table
        case .name, .symbol(.leftParenthesis): .chain
        default: .nothing
        }
    }

    private func parseOperand(depth: Int) -> Expression {
        var result = Expression(position: position)
        switch operandStart {
        case .literal:
            result.literal = literal
            result.isMultiple = isAt(.ellipsis)
            advance()
        case .function:
            advance()
            result.table = parseFunctionBody(depth: depth)
        case .table:
            result.table = parseTable(depth: depth)
        case .chain:
            parseChainOperand(&result, depth: depth)
        case .nothing:
            break
        }
        return result
    }

    private func parseChainOperand(_ result: inout Expression, depth: Int) {
        let chain = parseChain(depth: depth)
        result.table = content(of: chain)
        result.isMultiple = chain.isCall
    }

    /// The key of the next token, if it is a literal.
    private var literal: PathElement? {
        switch token.kind {
        case .string(let bytes): .key(String(decoding: bytes, as: UTF8.self))
        case .integer(let value): .index(Int(truncatingIfNeeded: value))
        // Lua converts a float key with an integral value to that integer.
        case .float(let value): Int(exactly: value).map { .index($0) }
        default: nil
        }
    }

    /// Parses `[key]`.
    private func parseBracketedKey(at position: inout Position) -> PathElement? {
        advance()
        position = self.position
        let isNegative = take(.minus)
        let key = isNegative ? negated(literal) : literal
        guard key != nil, following.kind == .symbol(.rightBracket) else {
            skipBrackets(open: 1)
            return nil
        }
        advance()
        advance()
        return key
    }

    // MARK: Chains and calls

    /// Parses a variable or a parenthesized expression, and the keys and calls that follow it.
    func parseChain(depth: Int) -> Chain {
        var chain = Chain(position: position)
        chain.keyPosition = position
        if let name = takeName() {
            chain.root = .variable(name)
        } else if isWithin(depth) {
            advance()
            chain.root = .value(parseExpression(depth: depth + 1).table)
            take(.rightParenthesis)
        } else {
            skipBrackets()
        }
        while true {
            switch suffix {
            case .key: parseKeySuffix(of: &chain)
            case .method: parseMethodName(of: &chain)
            case .call: parseCall(of: &chain, depth: depth)
            case .nothing: return chain
            }
        }
    }

    /// A construct that can follow a variable.
    private enum Suffix {
        case key, method, call, nothing
    }

    private var suffix: Suffix {
        switch token.kind {
        case .symbol(.dot), .symbol(.leftBracket): .key
        case .symbol(.colon): .method
        case .symbol(.leftParenthesis), .symbol(.leftBrace), .string: .call
        default: .nothing
        }
    }

    private func parseKeySuffix(of chain: inout Chain) {
        if isAt(.leftBracket) {
            let key = parseBracketedKey(at: &chain.keyPosition)
            append(key, to: &chain)
        } else {
            advance()
            chain.keyPosition = position
            append(takeName().map { .key($0) }, to: &chain)
        }
    }

    private func parseMethodName(of chain: inout Chain) {
        advance()
        chain.keyPosition = position
        append(takeName().map { .key($0) }, to: &chain)
    }

    private func append(_ element: PathElement?, to chain: inout Chain) {
        chain.path.append(element)
        chain.positions.append(chain.keyPosition)
        chain.isCall = false
    }

    /// A function whose result or effect is known.
    private enum Word {
        case list, include, insert
    }

    private func word(_ chain: Chain) -> Word? {
        guard case .variable(let name)? = chain.root, variables[name] == nil else { return nil }
        switch (name, chain.path) {
        case ("append", []), ("market", []), ("remove", []): return .list
        case ("include", []): return .include
        case ("table", [.key("insert")]): return .insert
        default: return nil
        }
    }

    /// Parses the arguments of a call, and replaces `chain` with the result of the call, as far as that is known.
    private func parseCall(of chain: inout Chain, depth: Int) {
        let word = word(chain)
        let result = word == nil ? result(of: chain) : nil
        chain.root = result.map { .value($0) }
        chain.path = []
        chain.positions = []
        chain.isCall = true
        guard let word, isWithin(depth) else {
            skipArguments()
            return
        }
        var arguments = Arguments()
        parseArguments(into: &arguments, depth: depth + 2)  // a call takes twice the stack of a table
        switch word {
        case .list: chain.root = .value(arguments.first?.table)
        case .include: chain.root = .value(include(arguments.first?.literal))
        case .insert: insert(arguments)
        }
    }

    /// A table that represents the result of a function in an included file. The result of a function in this file was
    /// built by the call, and has its position.
    private func result(of chain: Chain) -> Int? {
        guard let function = content(of: chain), let included = tables[function].included,
            let path = descend(included, to: .result)
        else { return nil }
        let table = makeTable()
        tables[table].included = path
        return table
    }

    private func skipArguments() {
        if isAt(.leftParenthesis) || isAt(.leftBrace) {
            skipBrackets()
        } else {
            advance()  // a string
        }
    }

    private func parseArguments(into arguments: inout Arguments, depth: Int) {
        guard take(.leftParenthesis) else {
            arguments.add(parseOperand(depth: depth))
            return
        }
        while !isAtEnd, !isAt(.rightParenthesis) {
            arguments.add(parseExpression(depth: depth))
            guard take(.comma) else { break }
        }
        take(.rightParenthesis)
    }

    /// A table that represents the value returned by the file `name`.
    private func include(_ name: PathElement?) -> Int? {
        guard case .key(let file)? = name else { return nil }
        let table = makeTable()
        tables[table].included = LuaSourceMap.Included(file: file, path: [])
        return table
    }

    /// Records `table.insert(list, value)` and `table.insert(list, index, value)`.
    private func insert(_ arguments: Arguments) {
        guard arguments.count >= 2, let list = arguments.first?.table, let value = arguments.last, isOwn(list) else {
            return
        }
        order += 1
        tables[list].appended = Entry(
            keyPosition: value.position, valuePosition: value.position, table: value.table, isExact: false,
            order: order)
    }

    /// The table that a chain evaluates to.
    private func content(of chain: Chain) -> Int? {
        var current: Int?
        switch chain.root {
        case .variable(let name): current = variables[name] ?? nil
        case .value(let table): current = table
        case nil: return nil
        }
        for element in chain.path {
            guard let table = current, let element else { return nil }
            if let entry = tables[table].entries[element] {
                current = entry.table
            } else if let included = tables[table].included.flatMap({ descend($0, to: element) }) {
                let created = makeTable()
                tables[created].included = included
                current = created
            } else {
                return nil
            }
        }
        return current
    }

    // MARK: Table constructors

    /// Parses the table constructor that starts here.
    private func parseTable(depth: Int) -> Int? {
        guard isWithin(depth) else {
            skipBrackets()
            return nil
        }
        advance()
        let table = makeTable()
        var count = 0
        while !isAtEnd, !isAt(.rightBrace) {
            parseField(of: table, count: &count, depth: depth + 1)
        }
        take(.rightBrace)
        return table
    }

    private func parseField(of table: Int, count: inout Int, depth: Int) {
        let start = token.range
        var entry = Entry(keyPosition: position, valuePosition: position)
        let key = parseFieldKey(at: &entry.keyPosition)
        let value = parseExpression(depth: depth)
        entry.valuePosition = value.position
        entry.table = value.table
        switch key {
        case .written(let element): add(element, entry, to: table, count: count)
        case .position: addItem(entry, isMultiple: value.isMultiple, from: start, to: table, count: &count)
        }
        separate(from: start)
    }

    /// The key of a field in a constructor.
    private enum FieldKey {
        /// `name =` or `[key] =`; nil if the key is computed.
        case written(PathElement?)
        /// The position among the items.
        case position
    }

    private func parseFieldKey(at position: inout Position) -> FieldKey {
        if isAt(.leftBracket) {
            let element = parseBracketedKey(at: &position)
            take(.assign)
            return .written(element)
        }
        guard case .name(let name) = token.kind, following.kind == .symbol(.assign) else { return .position }
        advance()
        advance()
        return .written(.key(name))
    }

    /// Skips the separator after a field. If the field consumed no token, skips any token, so that parsing continues.
    private func separate(from start: Range<Int>) {
        if !take(.comma), !take(.semicolon), token.range == start { advance() }
    }

    private func addItem(
        _ entry: Entry, isMultiple: Bool, from start: Range<Int>, to table: Int, count: inout Int
    ) {
        // Anything that is not an expression, such as a stray bracket or a keyword, is not an item.
        guard token.range != start else { return }
        add(.index(count + 1), entry, to: table, count: count)
        count += 1
        // Only the last item of a constructor can have several values.
        let isLast = isAt(.rightBrace) || following.kind == .symbol(.rightBrace)
        tables[table].appended = isMultiple && isLast ? entry : nil
    }

    private func add(_ element: PathElement?, _ entry: Entry, to table: Int, count: Int) {
        order += 1
        var entry = entry
        entry.order = order
        guard let element else {
            tables[table].computed = entry
            return
        }
        // Lua stores positional items after the others, so they take precedence.
        if case .index(let index) = element, index >= 1, index <= count { return }
        tables[table].entries[element] = entry
    }
}
