// The parts of nodes that several readers need. For all other kinds, the children are the parts.

// MARK: Tables

extension LuaTree {
    /// A key with its value in a table, or an element.
    package struct Field: Sendable {
        package enum Key: Hashable, Sendable {
            /// A name, or a string in brackets.
            case name(String)
            /// An integer in brackets.
            case integer(Int64)
            /// No key: the number of the element, from 1.
            case element(Int)
            /// An expression in brackets.
            case computed
        }

        /// The `field` node, or the expression that is the element.
        package let node: NodeID
        package let key: Key
        /// The token of the name, or of the string or integer in the brackets.
        package let keyToken: Int?
        /// The tokens before the equals sign, with the brackets; empty for an element.
        package let keyTokens: Range<Int>
        /// The value, which for an element is the node itself; nil if it is missing.
        package let value: NodeID?
        /// The comma or semicolon after the field.
        package let separator: Int?
    }

    /// The fields of a table, in source order.
    package func fields(of table: NodeID) -> some Sequence<Field> {
        var elements = 0
        return children(of: table).lazy.filter { kind($0) != .error }.map { node in
            if kind(node) != .field { elements += 1 }
            return field(node, element: elements)
        }
    }

    /// A child of a table as a field; `element` is its number if it has no key.
    package func field(_ node: NodeID, element: Int) -> Field {
        guard kind(node) != .field else { return keyedField(node) }
        let tokens = tokens(of: node)
        return Field(
            node: node, key: .element(element), keyToken: nil, keyTokens: tokens.lowerBound..<tokens.lowerBound,
            value: node, separator: separator(after: tokens))
    }

    private func keyedField(_ node: NodeID) -> Field {
        let tokens = tokens(of: node)
        let children = children(of: node)
        let start = tokens.lowerBound
        let expression = children.first.map { self.tokens(of: $0) }
        var key = Field.Key.computed
        var keyToken: Int?
        var keyEnd = start + 1
        if self.tokens[start].kind == .leftBracket {
            if let expression, expression.lowerBound == start + 1 { keyEnd = expression.upperBound }
            if keyEnd == start + 2, let literal = literalKey(start + 1) { (key, keyToken) = (literal, start + 1) }
            while keyEnd < tokens.upperBound, self.tokens[keyEnd].kind != .rightBracket { keyEnd += 1 }
            keyEnd = min(keyEnd + 1, tokens.upperBound)
        } else if let expression, expression.lowerBound == start {
            // A key that lacks its brackets.
            keyEnd = expression.upperBound
        } else {
            (key, keyToken) = (literalKey(start) ?? .name(text(of: start)), start)
        }
        let value = children.last.flatMap { self.tokens(of: $0).lowerBound > keyEnd ? $0 : nil }
        return Field(
            node: node, key: key, keyToken: keyToken, keyTokens: start..<keyEnd, value: value,
            separator: separator(after: tokens))
    }

    private func literalKey(_ token: Int) -> Field.Key? {
        switch tokens[token].kind {
        case .string: .name(String(decoding: value(ofString: token), as: UTF8.self))
        case .integer: .integer(value(ofInteger: token))
        default: nil
        }
    }

    private func separator(after tokens: Range<Int>) -> Int? {
        let kind = self.tokens[tokens.upperBound].kind
        return kind == .comma || kind == .semicolon ? tokens.upperBound : nil
    }

    /// The brace that closes a table, or the bracket of a list that was written in brackets; nil if it is missing.
    package func closingBrace(of table: NodeID) -> Int? {
        let tokens = tokens(of: table)
        // The last brace may belong to a table in it.
        let content = children(of: table).last.map { self.tokens(of: $0).upperBound } ?? tokens.lowerBound + 1
        let last = tokens.upperBound - 1
        let kind = self.tokens[last].kind
        return last >= content && (kind == .rightBrace || kind == .rightBracket) ? last : nil
    }

    /// The table that the file returns, by itself, as the argument of a call, or by a name that it was assigned to.
    package var returnedTable: NodeID? {
        let outer = children(of: root).filter { kind($0) == .return }
        // In a broken text, the return statement may seem to be in a block.
        let returns = outer.isEmpty ? allNodes.filter { kind($0) == .return } : outer
        for statement in returns.reversed() {
            guard let value = children(of: statement).first else { continue }
            if let table = table(in: value) { return table }
            if kind(value) == .name { return firstTable(assignedTo: bytes[range(of: value)]) }
        }
        return nil
    }

    /// The table that a value is, or that a function is called with.
    package func table(in value: NodeID) -> NodeID? {
        switch kind(value) {
        case .table: value
        case .chain: call(value)?.argument.flatMap { table(in: $0) }
        default: nil
        }
    }

    private func firstTable(assignedTo name: ArraySlice<UInt8>) -> NodeID? {
        for node in allNodes where kind(node) == .local || kind(node) == .assignment {
            let parts = children(of: node)
            if let first = parts.first, bytes[range(of: first)] == name, let last = parts.last, kind(last) == .table {
                return last
            }
        }
        return nil
    }
}

// MARK: Calls and functions

extension LuaTree {
    /// A call of a name with at most one argument, such as `append { … }` or `include("shared/x.lua")`.
    package struct Call: Sendable {
        /// The token of the name.
        package let name: Int
        package let argument: NodeID?
    }

    /// The call that a chain is; nil if it is anything else.
    package func call(_ chain: NodeID) -> Call? {
        let parts = children(of: chain)
        guard kind(chain) == .chain, let root = parts.first, kind(root) == .name, parts.count == 2,
            let part = parts.last
        else { return nil }
        let name = tokens(of: root).lowerBound
        switch kind(part) {
        case .table, .literal: return Call(name: name, argument: part)
        case .arguments:
            let arguments = children(of: part)
            return arguments.count > 1 ? nil : Call(name: name, argument: arguments.first)
        default: return nil
        }
    }

    package struct Function: Sendable {
        /// The name of a function statement, which may be `a.b:c`.
        package let name: NodeID?
        /// The tokens of the parameters, without `...`.
        package let parameters: [Int]
        /// Whether the function is a `local function` statement.
        package let isLocal: Bool
        /// Whether the function has `self`.
        package let isMethod: Bool
        package let body: NodeID
    }

    /// The function that a node is; nil if it is anything else.
    package func function(_ node: NodeID) -> Function? {
        guard [.function, .localFunction, .functionValue].contains(kind(node)) else { return nil }
        let parts = children(of: node)
        guard let list = parts.first(where: { kind($0) == .parameters }),
            let body = parts.first(where: { kind($0) == .block })
        else { return nil }
        let name = parts.first { kind($0) == .name }
        return Function(
            name: name,
            parameters: children(of: list).filter { kind($0) == .name }.map { tokens(of: $0) }
                .filter { !$0.isEmpty }.map(\.lowerBound),
            isLocal: kind(node) == .localFunction,
            isMethod: name.map { tokens[tokens(of: $0)].contains { $0.kind == .colon } } ?? false, body: body)
    }
}
