import CLuaTokens
package import GlassBase

/// The syntax of a Lua text, whether it parses or not.
///
/// The tokens, each with the gap before it (white space, line breaks and comments), are the text, byte for byte. Nodes are
/// ranges of tokens in preorder: the children of a node directly follow it. Everything is in flat arrays, reading takes
/// time linear in the size of the text, and the stack is bounded.
///
/// Lua decides what is valid. The tree only explains: ``errors`` is empty if and only if Lua's grammar accepts the text,
/// and reading goes on after each error. A few rules are left to Lua: the labels of `goto`, assignments to constants, and
/// limits such as the number of locals.
///
/// ```swift
/// let tree = LuaTree(Array("return { retry = 4 }".utf8))
/// if let table = tree.returnedTable {
///     for field in tree.fields(of: table) {
///         let start = tree.lines.position(of: tree.range(of: field.node).lowerBound)
///         print(field.key, start.line, start.column)  // name("retry") 1 10
///     }
/// }
/// ```
package struct LuaTree: Sendable {
    /// A token, in 8 bytes.
    package struct Token: Sendable {
        package let kind: LuaTokenKind
        // The length has 24 bits, which is enough for `maximumBytes`.
        private let lengthHigh: UInt8
        private let lengthLow: UInt16
        /// The start, and in the highest bit whether the token starts a line.
        private let start: UInt32

        init(_ kind: LuaTokenKind, _ range: Range<Int>, startsLine: Bool) {
            self.kind = kind
            lengthHigh = UInt8(range.count >> 16)
            lengthLow = UInt16(truncatingIfNeeded: range.count)
            start = UInt32(range.lowerBound) | (startsLine ? 1 << 31 : 0)
        }

        /// Whether the token is the first one on its line.
        package var startsLine: Bool { start >> 31 == 1 }
        package var lowerBound: Int { Int(start & ~(1 << 31)) }
        package var upperBound: Int { lowerBound + Int(lengthHigh) << 16 + Int(lengthLow) }
        package var range: Range<Int> { lowerBound..<upperBound }
    }

    /// A node, as an index into the preorder.
    package struct NodeID: Hashable, Comparable, Sendable {
        let index: Int

        package static func < (left: Self, right: Self) -> Bool { left.index < right.index }
    }

    /// A node, in 12 bytes.
    struct Node: Sendable {
        private let firstToken: UInt32
        private let endToken: UInt32
        let kind: LuaNodeKind
        // The size has 24 bits: a text within `maximumBytes` has at most two nodes for each byte.
        private let sizeHigh: UInt8
        private let sizeLow: UInt16

        init(_ kind: LuaNodeKind, tokens: Range<Int>, size: Int) {
            (firstToken, endToken) = (UInt32(tokens.lowerBound), UInt32(tokens.upperBound))
            self.kind = kind
            sizeHigh = UInt8(size >> 16)
            sizeLow = UInt16(truncatingIfNeeded: size)
        }

        var tokens: Range<Int> { Int(firstToken)..<Int(endToken) }
        /// The number of nodes in it, including itself.
        var size: Int { Int(sizeHigh) << 16 + Int(sizeLow) }
    }

    package let bytes: [UInt8]
    /// The tokens in source order. The last one is the end of the file.
    package let tokens: [Token]
    /// The mistakes, in the order in which Lua would notice them.
    package let errors: [LuaSyntaxError]
    /// Whether brackets or blocks don't match, so that lines and indentation determined where they end.
    package let isGuessed: Bool
    package let lines: LuaLines
    let nodes: [Node]

    /// The size of the tokens and nodes, in bytes.
    package var memory: Int { 8 * tokens.count + 12 * nodes.count }

    /// The maximum size of a text. The tree of a longer one has no tokens but its end.
    package static let maximumBytes = 1 << 22

    /// Reads a text. O(n) in its size.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        lines = LuaLines(bytes)
        let isTooLong = bytes.count > Self.maximumBytes
        tokens = isTooLong ? [Token(.endOfFile, bytes.count..<bytes.count, startsLine: true)] : Self.tokens(of: bytes)
        let brackets = LuaBrackets(tokens, bytes)
        isGuessed = !brackets.isBalanced
        let parser = LuaParser(tokens, brackets.partners, bytes)
        parser.parseBlock()
        nodes = Self.preorder(parser.nodes)
        // Errors that are noticed at the same token keep their order.
        errors = parser.errors.enumerated()
            .sorted { ($0.element.noticed, $0.offset) < ($1.element.noticed, $1.offset) }
            .map(\.element)
    }

    /// Reads a text of a market.
    package init(
        _ bytes: [UInt8], budget: WorkBudget, phase: WorkBudget.Phase
    ) throws(WorkBudget.Exceeded) {
        try budget.spend(1 + bytes.count / 16, on: phase)
        self.init(bytes)
    }

    private static func tokens(of bytes: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        tokens.reserveCapacity(bytes.count / 5 + 16)
        bytes.withUnsafeBufferPointer { buffer in
            buffer.withTextPointer { source in
                var cursor = glua_first_token(source, buffer.count)
                var line = 0
                withUnsafeTemporaryAllocation(of: glua_token.self, capacity: 64) { batch in
                    batch.initialize(repeating: glua_token())
                    while tokens.last?.kind != .endOfFile {
                        let count = glua_next_tokens(source, buffer.count, &cursor, batch.baseAddress, batch.count)
                        for token in batch[..<count] {
                            append(token, startsLine: token.line > line, to: &tokens, buffer)
                            line = token.end_line
                        }
                    }
                }
            }
        }
        return tokens
    }

    /// Appends a token, or adds it to the last one: a word with a character that no name can have, such as `währung` or
    /// `“USD”`, is one mistake.
    private static func append(
        _ token: glua_token, startsLine: Bool, to tokens: inout [Token], _ bytes: UnsafeBufferPointer<UInt8>
    ) {
        let kind = LuaTokenKind(token)
        if kind == .name || kind == .invalid, let last = tokens.last, last.upperBound == token.start,
            last.kind == .name && kind == .invalid && bytes[token.start] >= 0x80
                || last.kind == .invalid && bytes[last.lowerBound].startsWord
        {
            tokens[tokens.count - 1] = Token(.invalid, last.lowerBound..<token.end, startsLine: last.startsLine)
        } else {
            tokens.append(Token(kind, token.start..<token.end, startsLine: startsLine))
        }
    }

    /// Orders nodes that the parser finished after those in them.
    private static func preorder(_ nodes: [Node]) -> [Node] {
        var sorted = nodes
        var places = [Int32](repeating: 0, count: nodes.count)
        for parent in nodes.indices.reversed() {
            let place = Int(places[parent])
            sorted[place] = nodes[parent]
            // From the last child to the first.
            var (child, end) = (parent - 1, place + nodes[parent].size)
            while child > parent - nodes[parent].size {
                end -= nodes[child].size
                places[child] = Int32(end)
                child -= nodes[child].size
            }
        }
        return sorted
    }
}

extension UInt8 {
    /// Whether the byte is a letter, or part of a character that people take for one.
    fileprivate var startsWord: Bool { self >= 0x80 || self == UInt8(ascii: "_") || isASCIILetter }

    private var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
}

extension LuaTokenKind {
    fileprivate init(_ token: glua_token) {
        switch token.kind {
        case GLUA_TOKEN_END: self = .endOfFile
        case GLUA_TOKEN_NAME: self = .name
        case GLUA_TOKEN_KEYWORD: self = LuaTokenKind(rawValue: UInt8(token.which)) ?? .invalid
        case GLUA_TOKEN_STRING: self = .string
        case GLUA_TOKEN_INTEGER: self = .integer
        case GLUA_TOKEN_FLOAT: self = .float
        case GLUA_TOKEN_SYMBOL:
            self = LuaTokenKind(rawValue: LuaTokenKind.plus.rawValue + UInt8(token.which)) ?? .invalid
        default: self = .invalid
        }
    }
}

// MARK: Nodes

extension LuaTree {
    /// The block of the file.
    package var root: NodeID { NodeID(index: 0) }

    /// All nodes, in source order.
    package var allNodes: some RandomAccessCollection<NodeID> { nodes.indices.lazy.map { NodeID(index: $0) } }

    package func kind(_ node: NodeID) -> LuaNodeKind { nodes[node.index].kind }

    /// The tokens of a node; an empty range where they are missing.
    package func tokens(of node: NodeID) -> Range<Int> { nodes[node.index].tokens }

    /// The bytes of a node; an empty range behind the token before it if the node has no tokens.
    package func range(of node: NodeID) -> Range<Int> { range(of: tokens(of: node)) }

    /// The bytes of a range of tokens.
    package func range(of tokens: Range<Int>) -> Range<Int> {
        let end = tokens.upperBound > 0 ? self.tokens[tokens.upperBound - 1].upperBound : 0
        return (tokens.isEmpty ? end : self.tokens[tokens.lowerBound].lowerBound)..<end
    }

    /// The node behind a node and those in it. It need not exist.
    package func end(of node: NodeID) -> NodeID { NodeID(index: node.index + nodes[node.index].size) }

    /// The nodes directly below a node, in source order.
    package func children(of node: NodeID) -> Children {
        Children(nodes: nodes, startIndex: node.index + 1, endIndex: node.index + nodes[node.index].size)
    }

    package struct Children: Collection {
        fileprivate let nodes: [Node]
        package let startIndex: Int
        package let endIndex: Int

        package func index(after index: Int) -> Int { index + nodes[index].size }
        package subscript(index: Int) -> NodeID { NodeID(index: index) }

        /// The last child. O(n) in the number of children.
        package var last: NodeID? { reduce(nil) { $1 } }
    }

    /// The nodes that contain a token, from the block of the file to the innermost one. Linear in the number of their
    /// children.
    package func nodes(around token: Int) -> [NodeID] {
        var found: [NodeID] = []
        var next = tokens(of: root).contains(token) ? root : nil
        while let node = next {
            found.append(node)
            next = children(of: node).first { tokens(of: $0).contains(token) }
        }
        return found
    }
}

// MARK: Tokens

extension LuaTree {
    /// The text of a token.
    package func text(of token: Int) -> String { String(decoding: bytes[tokens[token].range], as: UTF8.self) }

    /// The index of the first token that ends after a byte. O(log n).
    package func token(endingAfter byte: Int) -> Int {
        min(tokens.partitioningIndex { $0.upperBound > byte }, tokens.count - 1)
    }

    /// The index of the token that begins at a byte, if any. O(log n).
    package func token(at byte: Int) -> Int? {
        let index = token(endingAfter: byte)
        return tokens[index].lowerBound == byte ? index : nil
    }

    /// The kind of a token; `endOfFile` if the index is outside the text.
    package func kind(at token: Int) -> LuaTokenKind {
        tokens.indices.contains(token) ? tokens[token].kind : .endOfFile
    }

    /// The position at which a token begins. O(log n).
    package func position(of token: Int) -> LuaLines.Position { lines.position(of: tokens[token].lowerBound) }

    /// The tokens that begin on a line.
    package func tokens(onLine line: Int) -> Range<Int> {
        func first(_ line: Int) -> Int {
            var index = token(endingAfter: lines.byte(at: LuaLines.Position(line: line, column: 1)))
            // A long string may end on the line.
            while index < tokens.count - 1, position(of: index).line < line { index += 1 }
            return position(of: index).line < line ? tokens.count : index
        }
        let start = first(line)
        return start..<max(start, first(line + 1))
    }

    /// The bytes that a string token stands for, which need not be UTF-8.
    package func value(ofString token: Int) -> [UInt8] {
        withRescannedToken(token) { source, token in
            [UInt8](unsafeUninitializedCapacity: token.end - token.start) { value, count in
                count = withUnsafePointer(to: token) { glua_token_value(source, $0, value.baseAddress) }
            }
        }
    }

    /// The value of an integer token. Hexadecimal ones wrap around.
    package func value(ofInteger token: Int) -> Int64 { withRescannedToken(token) { $1.integer } }

    /// The value of a float token.
    package func value(ofFloat token: Int) -> Double {
        let text = text(of: token)
        // Swift requires an exponent in a hexadecimal float, Lua does not.
        let isHexadecimal = text.utf8.dropFirst().first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let hasExponent = text.utf8.contains { $0 | 0x20 == UInt8(ascii: "p") }
        return Double(isHexadecimal && !hasExponent ? text + "p0" : text) ?? .nan
    }

    /// Scans a token once more, for what the tree does not keep.
    private func withRescannedToken<Result>(
        _ token: Int, _ body: (UnsafePointer<CChar>?, glua_token) -> Result
    ) -> Result {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.withTextPointer { source in
                var cursor = glua_cursor(at: tokens[token].lowerBound, line: 1, line_start: 0, unfinished: false)
                return body(source, glua_next_token(source, buffer.count, &cursor))
            }
        }
    }

    /// The bytes between a token and the one before it: white space, line breaks and comments. Before the first token,
    /// also a byte order mark and a line that begins with `#`.
    package func gap(before token: Int) -> Range<Int> {
        (token > 0 ? tokens[token - 1].upperBound : 0)..<tokens[token].lowerBound
    }

    package struct Comment: Equatable, Sendable {
        /// The bytes of the comment, from its hyphens up to the line break or through the closing bracket.
        package let range: Range<Int>
        /// Whether it is in long brackets.
        package let isLong: Bool
    }

    /// The comments in the gap before a token.
    package func comments(before token: Int) -> [Comment] {
        let gap = gap(before: token)
        // The tokenizer reports an unfinished long comment as an empty token behind it.
        let isUnfinished = tokens[token].kind == .invalid && tokens[token].range.isEmpty
        var found: [Comment] = []
        bytes.withUnsafeBufferPointer { buffer in
            buffer.withTextPointer { source in
                var byte = token > 0 ? gap.lowerBound : glua_first_token(source, buffer.count).at
                while byte < gap.upperBound {
                    guard buffer[byte] == UInt8(ascii: "-") else {
                        byte += 1
                        continue
                    }
                    // Behind its hyphens, a long comment is read like a long string.
                    var cursor = glua_cursor(at: byte + 2, line: 1, line_start: 0, unfinished: false)
                    let string =
                        byte + 2 < buffer.count && buffer[byte + 2] == UInt8(ascii: "[")
                        ? glua_next_token(source, buffer.count, &cursor) : glua_token()
                    let isLong = string.kind == GLUA_TOKEN_STRING || isUnfinished && string.end == gap.upperBound
                    let rest = buffer[byte..<gap.upperBound]
                    let end = isLong ? string.end : rest.firstIndex(where: \.isLineEnd) ?? gap.upperBound
                    found.append(Comment(range: byte..<end, isLong: isLong))
                    byte = end
                }
            }
        }
        return found
    }
}
