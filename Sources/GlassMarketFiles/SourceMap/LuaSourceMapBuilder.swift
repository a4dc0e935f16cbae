import LuaSyntax

/// Finds out from a syntax tree which table constructor ends up under which key of the returned table.
///
/// Expressions are followed down to ``maximumDepth``, including those in the functions within them, so that no source
/// can exhaust the stack. It is a class because an unoptimized build copies a struct of this size into the frame of each
/// call on it.
final class LuaSourceMapBuilder {
    typealias PathElement = LuaSourceMap.PathElement
    typealias Entry = LuaSourceMap.Entry
    typealias Table = LuaSourceMap.Table
    typealias NodeID = LuaTree.NodeID

    /// The maximum nesting of tables, which Lua limits to 200 levels itself. Other expressions take more stack in an
    /// unoptimized build, and count as several.
    static let maximumDepth = 200
    /// A function takes as much stack as a few expressions.
    private static let depthOfAFunction = 8
    /// The maximum length of a path in an included file. It also limits the time for chained locals.
    private static let maximumIncludePath = 64

    /// A block that is open at the current statement.
    private struct Block {
        /// The number of shadowed variables to keep when the block ends.
        let shadowedCount: Int
        /// Whether its statements may not run at all, or more than once.
        let isConditional: Bool
        /// The table that represents the function whose body this is.
        let function: Int?
    }

    /// The properties of an expression that are known.
    private struct Value {
        /// The byte at which it starts.
        var start: Int
        /// The index of its table, if the content is known.
        var table: Int?
        /// Its key, if it is a literal string or integer.
        var literal: PathElement?
        /// Whether it can have any number of values: a call or `...`.
        var isMultiple = false
    }

    /// A variable or a parenthesized expression with the keys and calls that follow it: `a.b["c"]`.
    private struct Chain {
        enum Root {
            case variable(String)
            case value(Int?)
        }

        /// Nil once a call has made it unknown.
        var root: Root?
        /// The keys, each with the byte at which it starts; nil for a computed one.
        var path: [(element: PathElement?, start: Int)] = []
        var isCall = false
    }

    private let tree: LuaTree
    private(set) var tables: [Table] = []
    private(set) var root = Entry(keyStart: 0, valueStart: 0, isExact: false)
    /// Whether `root` is the `return` that ends the file, rather than one inside a block.
    private var hasFinalReturn = false
    /// The number of `return` statements so far that may be the one that runs.
    private var returnCount = 0
    /// The variables in scope, each with the table that it holds; nil if that is not known.
    private var variables: [String: Int?] = [:]
    /// The variables that the locals of the open blocks shadow, in order; nil if there was none.
    private var shadowed: [(name: String, variable: Int??)] = []
    private var blocks: [Block] = []
    /// The number of the last assignment.
    private var order = 0
    /// The depth of the expressions that contain the current function.
    private var outerDepth = 0
    /// The first table created in the current function. Changes to other tables take effect when the function is
    /// called, if ever.
    private var firstOwnTable = 0

    init(_ tree: LuaTree) {
        self.tree = tree
        visitStatements(of: tree.root)
    }

    // MARK: Blocks

    private var isConditional: Bool { blocks.last?.isConditional ?? false }

    private func visitStatements(of block: NodeID) {
        for statement in tree.children(of: block) { visit(statement) }
    }

    private func openBlock(isConditional conditional: Bool, function: Int? = nil) {
        blocks.append(
            Block(shadowedCount: shadowed.count, isConditional: conditional || isConditional, function: function))
    }

    private func closeBlock() {
        guard let block = blocks.popLast() else { return }
        while shadowed.count > block.shadowedCount, let hidden = shadowed.popLast() {
            variables[hidden.name] = hidden.variable
        }
    }

    private func visitBlock(_ block: NodeID, isConditional: Bool, declaring names: [String] = []) {
        openBlock(isConditional: isConditional)
        for name in names { declare(name, holding: nil) }
        visitStatements(of: block)
        closeBlock()
    }

    /// Declares a local variable in the innermost block.
    private func declare(_ name: String, holding table: Int?) {
        shadowed.append((name, variables[name]))
        variables.updateValue(table, forKey: name)
    }

    // MARK: Statements

    private func visit(_ statement: NodeID) {
        switch tree.kind(statement) {
        case .local: visitLocal(statement)
        case .localFunction:
            guard let function = tree.function(statement) else { return }
            let table = visitFunction(function, depth: 0)
            if let name = function.name.flatMap(tree.name) { declare(name, holding: table) }
        case .function:
            guard let function = tree.function(statement), let name = function.name else { return }
            let value = Value(start: start(of: statement), table: visitFunction(function, depth: 0))
            assign(value, to: target(ofFunctionNamed: name))
        case .assignment: visitAssignment(statement)
        case .if, .clause, .while: visitBranches(of: statement)
        case .for:
            let parts = tree.binding(statement)
            for value in parts.values { _ = visitExpression(value) }
            guard let body = parts.body else { return }
            visitBlock(body, isConditional: true, declaring: parts.targets.compactMap(tree.name))
        case .repeat:
            // The condition is in the scope of the block.
            openBlock(isConditional: true)
            for part in tree.children(of: statement) {
                if tree.kind(part) == .block { visitStatements(of: part) } else { _ = visitExpression(part) }
            }
            closeBlock()
        case .do:
            for part in tree.children(of: statement) where tree.kind(part) == .block {
                visitBlock(part, isConditional: false)
            }
        case .return: visitReturn(statement)
        default: _ = visitExpression(statement)  // a call
        }
    }

    private func visitLocal(_ statement: NodeID) {
        let parts = tree.binding(statement)
        // The values come first, because a name in them refers to the variable that the new local shadows.
        let values = parts.values.map { visitExpression($0) }
        for (index, target) in parts.targets.enumerated() {
            guard let name = tree.name(target) else { continue }
            declare(name, holding: index < values.count ? values[index].table : nil)
        }
    }

    private func visitBranches(of statement: NodeID) {
        for part in tree.children(of: statement) {
            switch tree.kind(part) {
            case .block: visitBlock(part, isConditional: true)
            case .clause: visitBranches(of: part)
            default: _ = visitExpression(part)
            }
        }
    }

    private func visitReturn(_ statement: NodeID) {
        let start = start(of: statement)
        let value = tree.children(of: statement).first.map { visitExpression($0) } ?? Value(start: start)
        if let function = blocks.last(where: { $0.function != nil })?.function {
            // If there are several, the last one with known content is used.
            guard value.table != nil || tables[function].entries[.result] == nil else { return }
            order += 1
            tables[function].entries[.result] = Entry(
                keyStart: start, valueStart: value.start, table: value.table, isExact: false, order: order)
            return
        }
        // If there are several, the one outside all blocks is used, because it is unknown which one runs.
        guard blocks.isEmpty || !hasFinalReturn else { return }
        hasFinalReturn = blocks.isEmpty
        root = Entry(keyStart: start, valueStart: value.start, table: value.table, isExact: returnCount == 0)
        returnCount += 1
    }

    /// The chain that `function a.b:c` assigns to.
    private func target(ofFunctionNamed name: NodeID) -> Chain {
        var chain = Chain()
        for index in tree.tokens(of: name) where tree.tokens[index].kind == .name {
            if chain.root == nil {
                chain.root = .variable(tree.text(of: index))
            } else {
                chain.path.append((.key(tree.text(of: index)), tree.tokens[index].lowerBound))
            }
        }
        return chain
    }

    private func visitAssignment(_ statement: NodeID) {
        let parts = tree.binding(statement)
        let targets = parts.targets.map { visitChain($0, depth: 0) }
        let values = parts.values.map { visitExpression($0) }
        // Targets beyond the values get the results of the last call.
        guard let last = values.last else { return }
        for (index, target) in targets.enumerated() {
            assign(index < values.count ? values[index] : Value(start: last.start), to: target)
        }
    }

    // MARK: Assigning

    /// Sets the variable or the key that `target` names.
    private func assign(_ value: Value, to target: Chain) {
        guard case .variable(let name)? = target.root else { return }
        guard let last = target.path.last else {
            if isConditional, let table = value.table, case .some(.some) = variables[name] {
                tables[table].isCertain = false
            }
            variables.updateValue(value.table, forKey: name)
            return
        }
        var table = tableToChange(of: name)
        for step in target.path.dropLast() { table = tableToChange(of: step.element, at: step.start, in: table) }
        set(last.element, to: Entry(keyStart: last.start, valueStart: value.start, table: value.table), in: table)
    }

    /// The table that a variable holds; if it is not known, a new one for what the source sets in it.
    private func tableToChange(of variable: String) -> Int {
        if case .some(.some(let table)) = variables[variable] { return table }
        let table = makeTable()
        variables.updateValue(table, forKey: variable)
        return table
    }

    /// The table of a key; if it is not known, a new one for what the source sets in it.
    private func tableToChange(of element: PathElement?, at start: Int, in table: Int) -> Int {
        let existing = element.map { tables[table].entries[$0] } ?? tables[table].computed
        if let known = existing?.table { return known }
        let created = makeTable()
        if let element, let included = tables[table].included {
            tables[created].included = descend(included, to: element)
        }
        guard isOwn(table) else { return created }
        if existing == nil { order += 1 }
        var entry = existing ?? Entry(keyStart: start, valueStart: start, isImplied: true, order: order)
        entry.table = created
        put(entry, at: element, in: table)
        return created
    }

    /// Sets a key; if `element` is nil, sets the entry for all keys that are not literals.
    private func set(_ element: PathElement?, to entry: Entry, in table: Int) {
        guard isOwn(table) else { return }
        order += 1
        var entry = entry
        entry.order = order
        // Under a condition or in a loop, an earlier assignment may be the one in effect.
        if isConditional, let element, tables[table].entries[element] != nil { entry.isExact = false }
        put(entry, at: element, in: table)
    }

    private func put(_ entry: Entry, at element: PathElement?, in table: Int) {
        if let element {
            tables[table].entries[element] = entry
        } else {
            tables[table].computed = entry
        }
    }

    private func makeTable(of included: LuaSourceMap.Included? = nil) -> Int {
        tables.append(Table(included: included))
        return tables.count - 1
    }

    /// Whether the current function created a table, or no function is being visited.
    private func isOwn(_ table: Int) -> Bool { table >= firstOwnTable }

    /// The path of `element` in an included table; nil if it is longer than any path that is looked up.
    private func descend(_ included: LuaSourceMap.Included, to element: PathElement) -> LuaSourceMap.Included? {
        guard included.path.count < Self.maximumIncludePath else { return nil }
        return LuaSourceMap.Included(file: included.file, path: included.path + [element])
    }

    // MARK: Expressions

    private func start(of node: NodeID) -> Int {
        // A missing expression is where the next token is.
        tree.tokens[tree.tokens(of: node).lowerBound].lowerBound
    }

    /// Whether an expression may nest to this depth.
    private func isWithin(_ depth: Int) -> Bool { outerDepth + depth < Self.maximumDepth }

    private func visitExpression(_ node: NodeID, depth: Int = 0) -> Value {
        // Apart from the others, so that nested tables take less stack in an unoptimized build.
        tree.kind(node) == .table
            ? Value(start: start(of: node), table: visitTable(node, depth: depth)) : visitOther(node, depth: depth)
    }

    private func visitOther(_ node: NodeID, depth: Int) -> Value {
        var value = Value(start: start(of: node))
        switch tree.kind(node) {
        case .literal:
            value.literal = literal(node)
            value.isMultiple = tree.tokens[tree.tokens(of: node).lowerBound].kind == .ellipsis
        case .operation:
            value.literal = literal(node)
            for operand in tree.children(of: node) { _ = visitExpression(operand, depth: depth + 2) }
        case .functionValue: value.table = tree.function(node).flatMap { visitFunction($0, depth: depth) }
        case .name, .parenthesis, .chain:
            let chain = visitChain(node, depth: depth)
            value.table = table(of: chain)
            value.isMultiple = chain.isCall
        default: break
        }
        return value
    }

    /// The key that an expression is, if it is a literal string or a literal integer, which may be negative.
    private func literal(_ node: NodeID) -> PathElement? {
        let tokens = tree.tokens(of: node)
        if tree.kind(node) == .operation, tokens.count == 2, tree.tokens[tokens.lowerBound].kind == .minus,
            case .index(let index)? = literal(ofToken: tokens.lowerBound + 1)
        {
            return .index(0 &- index)
        }
        return tokens.count == 1 ? literal(ofToken: tokens.lowerBound) : nil
    }

    private func literal(ofToken token: Int) -> PathElement? {
        switch tree.tokens[token].kind {
        case .string: .key(String(decoding: tree.value(ofString: token), as: UTF8.self))
        case .integer: .index(Int(truncatingIfNeeded: tree.value(ofInteger: token)))
        // Lua converts a float key with an integral value to that integer.
        case .float: Int(exactly: tree.value(ofFloat: token)).map { .index($0) }
        default: nil
        }
    }

    /// Visits the body of a function. Returns a table whose ``LuaSourceMap/PathElement/result`` is the function's
    /// result; nil if the function is nested too deeply.
    private func visitFunction(_ parts: LuaTree.Function, depth: Int) -> Int? {
        guard isWithin(depth + Self.depthOfAFunction) else { return nil }
        let function = makeTable()
        let outer = (outerDepth, firstOwnTable, variables)
        outerDepth += depth + Self.depthOfAFunction
        firstOwnTable = function
        defer { (outerDepth, firstOwnTable, variables) = outer }
        // It is unknown when the function runs, so its statements may not run at all, or more than once.
        openBlock(isConditional: true, function: function)
        for parameter in parts.parameters { declare(tree.text(of: parameter), holding: nil) }
        visitStatements(of: parts.body)
        closeBlock()
        return function
    }

    // MARK: Chains and calls

    private func visitChain(_ node: NodeID, depth: Int) -> Chain {
        var chain = Chain()
        switch tree.kind(node) {
        case .name: chain.root = tree.name(node).map { .variable($0) }
        case .parenthesis where isWithin(depth):
            guard let inner = tree.children(of: node).first else { break }
            chain.root = .value(visitExpression(inner, depth: depth + 2).table)
        case .chain:
            for part in tree.children(of: node) {
                switch tree.kind(part) {
                case .name, .parenthesis: chain = visitChain(part, depth: depth)
                case .member, .method, .index: append(part, to: &chain)
                default: visitCall(part, of: &chain, depth: depth)
                }
            }
        default: break
        }
        return chain
    }

    private func append(_ part: NodeID, to chain: inout Chain) {
        let tokens = tree.tokens(of: part)
        let start = tree.tokens[tokens.lowerBound + 1].lowerBound
        chain.isCall = false
        if tree.kind(part) == .index {
            chain.path.append((tree.children(of: part).first.flatMap(literal), start))
        } else {
            let isNamed = tokens.count > 1 && tree.tokens[tokens.lowerBound + 1].kind == .name
            chain.path.append((isNamed ? .key(tree.text(of: tokens.lowerBound + 1)) : nil, start))
        }
    }

    /// A function whose result or effect is known.
    private enum Directive {
        case list, include, insert
        /// A word of conditions, which returns its argument in a table with this key.
        case wrap(String)
    }

    private func directive(_ chain: Chain) -> Directive? {
        guard case .variable(let name)? = chain.root, variables[name] == nil else { return nil }
        switch (name, chain.path.map(\.element)) {
        case ("accept", []), ("append", []), ("market", []), ("perLocale", []), ("prepend", []), ("remove", []),
            ("undecided", []), ("vary", []):
            return .list
        case ("all", []), ("any", []), ("no", []): return .wrap(name)
        case ("include", []): return .include
        case ("table", [.key("insert")]): return .insert
        default: return nil
        }
    }

    /// Replaces `chain` with the result of a call, as far as that is known.
    private func visitCall(_ node: NodeID, of chain: inout Chain, depth: Int) {
        let directive = directive(chain)
        let result = directive == nil ? result(of: chain) : nil
        chain = Chain(root: result.map { .value($0) }, isCall: true)
        guard let directive, isWithin(depth) else { return }
        let expressions = tree.kind(node) == .arguments ? Array(tree.children(of: node)) : [node]
        let arguments = expressions.map { visitExpression($0, depth: depth + 3) }
        switch directive {
        case .list: chain.root = .value(arguments.first?.table)
        case .wrap(let key):
            guard let argument = arguments.first else { return }
            let table = makeTable()
            order += 1
            let entry = Entry(
                keyStart: argument.start, valueStart: argument.start, table: argument.table, order: order)
            put(entry, at: .key(key), in: table)
            chain.root = .value(table)
        case .include:
            chain.root = .value(nil)
            guard case .key(let file)? = arguments.first?.literal else { return }
            chain.root = .value(makeTable(of: LuaSourceMap.Included(file: file, path: [])))
        case .insert:
            // `table.insert(list, value)` or `table.insert(list, index, value)`
            guard arguments.count >= 2, let list = arguments[0].table, isOwn(list) else { return }
            let value = arguments[arguments.count - 1]
            order += 1
            tables[list].appended = Entry(
                keyStart: value.start, valueStart: value.start, table: value.table, isExact: false, order: order)
        }
    }

    /// A table that represents the result of a function in an included file. The result of a function in this file was
    /// built by the call, and has its position.
    private func result(of chain: Chain) -> Int? {
        guard let function = table(of: chain), let included = tables[function].included,
            let path = descend(included, to: .result)
        else { return nil }
        return makeTable(of: path)
    }

    /// The table that a chain evaluates to.
    private func table(of chain: Chain) -> Int? {
        var current: Int?
        switch chain.root {
        case .variable(let name): current = variables[name] ?? nil
        case .value(let table): current = table
        case nil: return nil
        }
        for step in chain.path {
            guard let table = current, let element = step.element else { return nil }
            if let entry = tables[table].entries[element] {
                current = entry.table
            } else if let included = tables[table].included.flatMap({ descend($0, to: element) }) {
                current = makeTable(of: included)
            } else {
                return nil
            }
        }
        return current
    }

    // MARK: Table constructors

    private func visitTable(_ node: NodeID, depth: Int) -> Int? {
        guard isWithin(depth) else { return nil }
        let table = makeTable()
        var count = 0
        for child in tree.children(of: node) where tree.kind(child) != .error {
            add(visitValue(ofField: child, depth: depth + 1), ofField: child, to: table, count: &count)
        }
        return table
    }

    private func visitValue(ofField node: NodeID, depth: Int) -> Value {
        guard let value = tree.field(node, element: 0).value else {
            return Value(start: tree.tokens[tree.tokens(of: node).upperBound].lowerBound)
        }
        return visitExpression(value, depth: depth)
    }

    private func add(_ value: Value, ofField node: NodeID, to table: Int, count: inout Int) {
        var entry = Entry(keyStart: value.start, valueStart: value.start, table: value.table)
        // Only a call or `...` as the last field can have several values.
        tables[table].appended = nil
        let field = tree.field(node, element: count + 1)
        if case .element(let index) = field.key {
            add(.index(index), entry, to: table, count: count)
            count += 1
            if value.isMultiple { tables[table].appended = entry }
        } else {
            let (key, start) = key(of: field)
            entry.keyStart = start
            add(key, entry, to: table, count: count)
        }
    }

    /// The key of a field, and the byte at which it starts, inside the brackets if it has any; nil if it is computed.
    private func key(of field: LuaTree.Field) -> (PathElement?, start: Int) {
        let first = field.keyTokens.lowerBound
        let isInBrackets = tree.tokens[first].kind == .leftBracket
        let start = tree.tokens[isInBrackets ? first + 1 : first].lowerBound
        return switch field.key {
        case .name(let name): (.key(name), start)
        case .integer(let index): (.index(Int(truncatingIfNeeded: index)), start)
        case .element, .computed: (tree.children(of: field.node).first.flatMap(literal), start)
        }
    }

    private func add(_ element: PathElement?, _ entry: Entry, to table: Int, count: Int) {
        order += 1
        var entry = entry
        entry.order = order
        // Lua stores positional items after the others, so they take precedence.
        if case .index(let index)? = element, index >= 1, index <= count { return }
        put(entry, at: element, in: table)
    }
}
