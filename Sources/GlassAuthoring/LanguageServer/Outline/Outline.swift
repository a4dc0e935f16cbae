import GlassBase
import GlassMarkets
import GlassSchema
import LuaSyntax

/// The literal structure of a market file, whether it parses or not.
///
/// While evaluation yields values and stops at the first error, the outline yields positions and never fails:
/// completion, hovers and symbols use it while the user types.
package struct Outline: Sendable {
    /// One key or list element.
    struct Entry: Sendable {
        /// The table that contains it, as an index into ``Outline/entries``; nil for the returned table.
        let parent: Int?
        /// The key, or the index in the list.
        let key: ConfigurationPath.Element
        /// The token of the name, or of the string in brackets; nil for a list element.
        let keyToken: Int?
        /// The tokens of the value; an empty range at the next token if the value is missing.
        let tokens: Range<Int>
        /// The value.
        let value: Value
        /// The table that is the value or the argument of a directive.
        let table: LuaTree.NodeID?
        /// The entries of that table.
        var children: [Int] = []
    }

    /// A value, if it is literal.
    enum Value: Sendable, Equatable {
        /// Nothing follows the equals sign.
        case missing
        case table
        case boolean(Bool)
        case integer(Int64)
        case number(Double)
        case string(String)
        /// A bare name, such as `unset`, or a key that is being typed.
        case name(String)
        /// A directive with its string argument; nil for a table or any other argument.
        case word(String, argument: String?)
        case function
        /// A computed or broken value.
        case other
    }

    let tree: LuaTree
    /// The entries in source order; the first one is the returned table. Empty if no table was found.
    private(set) var entries: [Entry] = []
    /// The ranges of functions in the returned table, without those in other functions.
    private(set) var functions: [Range<Int>] = []

    /// The maximum size of a document in bytes.
    static let maximumTextBytes = 1 << 20

    /// Parses a document. O(n) in its size.
    package init(_ bytes: [UInt8]) {
        // Larger than hand-written files, and than a market may be.
        tree = LuaTree(bytes.count > Self.maximumTextBytes ? [] : bytes)
        guard let table = tree.returnedTable else { return }
        // Without recursion: the next entry is the last one.
        let root = Entry(
            parent: nil, key: .key(""), keyToken: nil, tokens: tree.tokens(of: table), value: .table, table: table)
        var rest = [root]
        while let entry = rest.popLast() {
            let index = entries.count
            entries.append(entry)
            if let parent = entry.parent { entries[parent].children.append(index) }
            guard let table = entry.table else { continue }
            rest += tree.fields(of: table).compactMap { self.entry(for: $0, parent: index) }.reversed()
        }
        let tokens = tree.tokens(of: table)
        for node in tree.allNodes where tree.kind(node) == .functionValue {
            let range = tree.range(of: node)
            guard tokens.contains(tree.tokens(of: node).lowerBound), range.lowerBound >= functions.last?.upperBound ?? 0
            else { continue }
            functions.append(range)
        }
    }

    /// The entry for a field; nil if its key is computed.
    private func entry(for field: LuaTree.Field, parent: Int) -> Entry? {
        let key: ConfigurationPath.Element
        switch field.key {
        case .name(let name): key = .key(name)
        case .integer(let number): key = .index(Int(number))
        // A key in brackets that is being typed.
        case .element where tree.tokens[tree.tokens(of: field.node).lowerBound].kind == .leftBracket: return nil
        case .element(let number): key = .index(number)
        case .computed: return nil
        }
        let end = tree.tokens(of: field.node).upperBound
        return Entry(
            parent: parent, key: key, keyToken: field.keyToken,
            tokens: field.value.map { tree.tokens(of: $0) } ?? end..<end,
            value: field.value.map { self.value(of: $0) } ?? .missing,
            table: field.value.flatMap { tree.table(in: $0) })
    }

    private func value(of node: LuaTree.NodeID) -> Value {
        let tokens = tree.tokens(of: node)
        switch tree.kind(node) {
        case .table: return .table
        case .name: return .name(tree.text(of: tokens.lowerBound))
        case .functionValue: return .function
        case .literal: return literal(tokens.lowerBound)
        case .operation where tokens.count == 2 && tree.tokens[tokens.lowerBound].kind == .minus:
            switch literal(tokens.lowerBound + 1) {
            case .integer(let number): return .integer(0 &- number)
            case .number(let number): return .number(-number)
            default: return .other
            }
        case .chain:
            guard let call = tree.call(node), let argument = call.argument else { return .other }
            let name = tree.text(of: call.name)
            if tree.kind(argument) == .table { return .word(name, argument: nil) }
            let token = tree.tokens(of: argument).lowerBound
            switch tree.tokens[token].kind {
            case .string where tree.kind(argument) == .literal: return .word(name, argument: string(token))
            // An unterminated string.
            case .invalid: return .word(name, argument: nil)
            default: return .other
            }
        default: return .other
        }
    }

    private func literal(_ token: Int) -> Value {
        switch tree.tokens[token].kind {
        case .true: .boolean(true)
        case .false: .boolean(false)
        case .nil: .name("nil")
        case .integer: .integer(tree.value(ofInteger: token))
        case .float: .number(tree.value(ofFloat: token))
        case .string: .string(string(token))
        default: .other
        }
    }

    private func string(_ token: Int) -> String { String(decoding: tree.value(ofString: token), as: UTF8.self) }

    // MARK: Positions

    /// The bytes of an entry's name, or of the whole element in a list.
    func keyRange(of entry: Int) -> Range<Int> {
        entries[entry].keyToken.map { tree.tokens[$0].range } ?? tree.range(of: entries[entry].tokens)
    }

    /// The bytes of an entry, from its name to the end of its value.
    func range(of entry: Int) -> Range<Int> {
        let value = tree.range(of: entries[entry].tokens)
        let start = keyRange(of: entry).lowerBound
        return start..<max(start, value.upperBound)
    }

    /// The path from the returned table to an entry.
    func path(of entry: Int) -> ConfigurationPath {
        var elements: [ConfigurationPath.Element] = []
        var next = entry
        while let parent = entries[next].parent {
            elements.append(entries[next].key)
            next = parent
        }
        return ConfigurationPath(elements.reversed())
    }

    /// Whether an entry is at a path, given the path of the returned table. Compares from the innermost key, because
    /// most entries differ there; builds no paths.
    func isAt(_ entry: Int, _ path: ConfigurationPath, below prefix: ConfigurationPath) -> Bool {
        var rest = path.elements[...]
        var next = entry
        while let parent = entries[next].parent {
            guard rest.popLast() == entries[next].key else { return false }
            next = parent
        }
        return rest.elementsEqual(prefix.elements)
    }

    /// The path of an entry, truncated to its end if long: the total length of all paths grows quadratically with the
    /// depth of a document.
    func shortPath(of entry: Int) -> String {
        var elements: [ConfigurationPath.Element] = []
        var (next, length) = (entry, 0)
        while let parent = entries[next].parent {
            if case .key(let name) = entries[next].key { length += name.utf8.count }
            length += 2
            guard length <= 256 else { return "…" + ConfigurationPath(elements.reversed()).description }
            elements.append(entries[next].key)
            next = parent
        }
        return ConfigurationPath(elements.reversed()).description
    }

    /// The entry at a path. The last one if a key is repeated, like in Lua.
    func entry(at path: ConfigurationPath) -> Int? {
        guard !entries.isEmpty else { return nil }
        var found = 0
        for element in path.elements {
            guard let next = entries[found].children.last(where: { entries[$0].key == element && !isBareName($0) })
            else {
                return nil
            }
            found = next
        }
        return found
    }

    /// Whether an entry is a bare name: in a section, the beginning of a key.
    func isBareName(_ entry: Int) -> Bool {
        if case .name = entries[entry].value { return entries[entry].keyToken == nil }
        return false
    }

    /// The tokens at the braces of an entry's table. If a brace is missing, the token next to the table's content.
    func braces(of entry: Int) -> (open: Int, close: Int)? {
        guard let table = entries[entry].table else { return nil }
        let tokens = tree.tokens(of: table)
        let hasBrace = tree.tokens[tokens.lowerBound].kind != .name
        return (
            hasBrace ? tokens.lowerBound : tokens.lowerBound - 1, tree.closingBrace(of: table) ?? tokens.upperBound
        )
    }

    // MARK: Comments

    /// Whether an offset is within a comment or at its end.
    func isInComment(_ offset: Int) -> Bool {
        tree.comments(before: tree.token(endingAfter: offset)).contains {
            let end = $0.range.upperBound
            return $0.range.lowerBound + 1 < offset && (offset < end || offset == end && !$0.isLong)
        }
    }

    /// The comments, with those between two tokens merged.
    var comments: [Range<Int>] {
        tree.tokens.indices.compactMap { token in
            let comments = tree.comments(before: token)
            guard let first = comments.first, let last = comments.last else { return nil }
            return first.range.lowerBound..<last.range.upperBound
        }
    }
}

extension Outline {
    /// The findings about literal keys and values, for text that Lua cannot parse.
    ///
    /// - Parameter schema: Every key of a market file.
    ///
    /// Ignores computed, incomplete and missing values, and reports nothing if the nesting was guessed.
    func findings(against schema: SectionDeclaration, file: String, budget: WorkBudget) -> [Finding] {
        guard !tree.isGuessed, !entries.isEmpty, var root = node(of: 0, file) else { return [] }
        root = root.withoutInherit(.section(schema))
        let findings = FindingList()
        do throws(WorkBudget.Exceeded) {
            try ConfigurationValidator.validate(root, as: .section(schema), into: findings, budget: budget)
        } catch {
            return []  // partial findings could be misleading
        }
        let reported: Set<FindingCode> = [
            .unknownKey, .renamedKey, .wrongType, .outOfRange, .invalidFormat, .invalidChoice, .invalidPercent,
        ]
        return findings.sorted().filter { finding in
            guard reported.contains(finding.code) else { return false }
            // A key that no overlay can have has a better finding once the text parses.
            let isOfFile =
                finding.path.elements.count == 3 && finding.path.lastKey.map { schema.key($0) != nil } == true
            return !(finding.code == .unknownKey && isOfFile && finding.path.elements.first == .key("overlays"))
        }
    }

    /// The literal value of an entry; nil if it isn't literal.
    private func node(of entry: Int, _ file: String) -> ConfigurationNode? {
        let found = entries[entry]
        let value: ConfigurationValue
        switch found.value {
        case .boolean(let flag): value = .boolean(flag)
        case .integer(let number): value = .integer(Int(number))
        case .number(let number): value = .number(number)
        case .string(let text): value = .string(text)
        case .table:
            var keys: [String: ConfigurationNode] = [:]
            var elements: [ConfigurationNode] = []
            for child in found.children {
                guard let node = node(of: child, file) else {
                    // The length of a list is unknown if an element is.
                    if entries[child].keyToken == nil, !isBareName(child) { return nil }
                    continue
                }
                switch entries[child].key {
                case .key(let name): keys[name] = node
                case .index: elements.append(node)
                }
            }
            if !keys.isEmpty, !elements.isEmpty { return nil }
            // An empty table may have unknown contents or be incomplete.
            if keys.isEmpty, elements.isEmpty, entry != 0 { return nil }
            value = elements.isEmpty ? .map(keys) : .list(elements)
        case .missing, .name, .word, .function, .other: return nil
        }
        func position(of token: Int) -> SourcePosition {
            let position = tree.position(of: token)
            return SourcePosition(file: file, line: position.line, column: position.column)
        }
        return ConfigurationNode(
            value, position: found.tokens.isEmpty ? nil : position(of: found.tokens.lowerBound),
            keyPosition: found.keyToken.map(position))
    }
}

extension ConfigurationNode {
    /// The node without `inherit`, which is not in the schema.
    fileprivate func withoutInherit(_ type: ValueType) -> ConfigurationNode {
        var node = self
        switch value {
        case .map(var entries):
            if type.section?.canInherit == true { entries[MarketDecisions.inherit] = nil }
            for (name, entry) in entries {
                entries[name] = type.part(at: .key(name)).map { entry.withoutInherit($0.type) } ?? entry
            }
            node.value = .map(entries)
        case .list(let elements):
            node.value = .list(
                elements.enumerated().map { offset, element in
                    type.part(at: .index(offset + 1)).map { element.withoutInherit($0.type) } ?? element
                })
        default: break
        }
        return node
    }
}
