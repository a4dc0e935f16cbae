/// The immutable trie: flat arrays, and one hash table for all literal edges.
///
/// The arrays are allocated manually, so that a search does no reference counting.
final class RouteTrie: @unchecked Sendable {  // written in `init` only
    // The memory of `view` is freed in `deinit`.
    struct Node: Sendable {
        /// The typed parameters other than lists; at most four.
        var typed: Range<Int32>
        /// The lengths of the affixes below the node, the longest first.
        var affixes: Range<Int32>
        var plain: Int32
        var ends: Range<Int32>
        var catchAlls: Range<Int32>
        var hasLiterals: Bool
        var hasLists: Bool
        /// Whether there are typed parameters, including lists.
        var hasTyped: Bool
        /// Whether literal children are the only alternatives, so that a search needn't return.
        var isOnlyLiterals: Bool
    }

    /// A slot of the hash table: an edge, or empty if there is no child.
    ///
    /// The parent is a node, or the complement of a node for a word of its lists; the child is then an index into
    /// ``View/wordChildren``. For affixes, the parent is a number of their lengths, counted from `Int32.min`.
    struct LiteralEdge: Sendable {
        var parent: Int32 = 0
        var child: Int32 = -1
        /// The position of the folded text in `text`.
        var start: Int32 = 0
        var count: Int32 = 0
    }

    struct TypedEdge: Sendable {
        var type: NamedParameterType
        var child: Int32
    }

    /// The lengths of one or more pairs of affixes below a node. A segment can match only one of these pairs, because
    /// the lengths determine its prefix and suffix, so one lookup in the hash table is enough.
    struct AffixLengths: Sendable {
        var prefix: Int32
        var suffix: Int32
        /// Whether there are values with and without a type.
        var hasTyped = false
        var hasPlain = false

        var total: Int32 { prefix + suffix }
    }

    /// A route that ends at a node, and the names of the query items that it requires.
    struct Terminal: Sendable {
        var route: Int32
        var query: Range<Int32>
    }

    /// The arrays without bounds: `init` created all indices into them.
    struct View: @unchecked Sendable {  // the memory is never written to
        // The owner of a view keeps its trie alive.
        let nodes: UnsafePointer<Node>
        let typedEdges: UnsafePointer<TypedEdge>
        let affixLengths: UnsafePointer<AffixLengths>
        /// The children for a word of a list; an edge from the complement of a node leads to one of these ranges.
        let wordChildren: UnsafePointer<Range<Int32>>
        let children: UnsafePointer<Int32>
        let terminals: UnsafePointer<Terminal>
        let queryNames: UnsafePointer<[UInt8]>
        let text: UnsafePointer<UInt8>
        /// Open addressing, with at most half of the slots in use.
        let slots: UnsafePointer<LiteralEdge>
        let mask: Int
    }

    let view: View
    private let counts: (nodes: Int, typedEdges: Int, wordChildren: Int, terminals: Int, queryNames: Int)

    init(_ builder: RouteTrieBuilder, patterns: [RoutePattern]) {
        let vocabulary = builder.vocabulary
        let edgeCount = builder.nodes.reduce(0) { count, node in
            node.lists.reduce(count + node.literals.count + node.affixes.count) { $0 + vocabulary.lists[$1.list].count }
        }
        var parts = Parts(edgeCount: edgeCount)
        for (index, node) in builder.nodes.enumerated() {
            for (text, child) in node.literals {
                parts.insert(parent: Int32(index), bytes: vocabulary.texts[text], child: Int32(child))
            }
            parts.append(node.lists, of: Int32(index), vocabulary)
            let affixes = parts.append(node.affixes, builder)
            let typedStart = Int32(parts.typedEdges.count)
            parts.typedEdges += node.open.map { TypedEdge(type: $0.type, child: Int32($0.child)) }
            let ends = parts.append(node.ends, patterns)
            let catchAlls = parts.append(node.catchAlls, patterns)
            let hasTyped = !node.open.isEmpty || !node.lists.isEmpty
            parts.nodes.append(
                Node(
                    typed: typedStart..<Int32(parts.typedEdges.count), affixes: affixes,
                    plain: Int32(node.plain ?? -1), ends: ends, catchAlls: catchAlls,
                    hasLiterals: !node.literals.isEmpty, hasLists: !node.lists.isEmpty, hasTyped: hasTyped,
                    isOnlyLiterals: !hasTyped && node.plain == nil && catchAlls.isEmpty && affixes.isEmpty))
        }
        view = View(
            nodes: RouteTrie.allocate(parts.nodes), typedEdges: RouteTrie.allocate(parts.typedEdges),
            affixLengths: RouteTrie.allocate(parts.affixLengths),
            wordChildren: RouteTrie.allocate(parts.wordChildren), children: RouteTrie.allocate(parts.children),
            terminals: RouteTrie.allocate(parts.terminals), queryNames: RouteTrie.allocate(parts.queryNames),
            text: RouteTrie.allocate(parts.text), slots: RouteTrie.allocate(parts.slots), mask: parts.slots.count - 1)
        counts = (
            parts.nodes.count, parts.typedEdges.count, parts.wordChildren.count, parts.terminals.count,
            parts.queryNames.count
        )
    }

    deinit {
        RouteTrie.free(view.nodes, counts.nodes)
        RouteTrie.free(view.typedEdges, counts.typedEdges)
        RouteTrie.free(view.wordChildren, counts.wordChildren)
        RouteTrie.free(view.affixLengths, 0)
        RouteTrie.free(view.children, 0)
        RouteTrie.free(view.terminals, counts.terminals)
        RouteTrie.free(view.queryNames, counts.queryNames)
        RouteTrie.free(view.text, 0)
        RouteTrie.free(view.slots, 0)
    }

    private static func allocate<Element>(_ elements: [Element]) -> UnsafePointer<Element> {
        let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(1, elements.count))
        _ = buffer.initialize(from: elements)
        return UnsafePointer(buffer.baseAddress.unsafelyUnwrapped)
    }

    private static func free<Element>(_ pointer: UnsafePointer<Element>, _ count: Int) {
        let mutable = UnsafeMutablePointer(mutating: pointer)
        mutable.deinitialize(count: count)
        mutable.deallocate()
    }

    /// The arrays during construction.
    private struct Parts {
        var nodes: [Node] = []
        var typedEdges: [TypedEdge] = []
        var affixLengths: [AffixLengths] = []
        var wordChildren: [Range<Int32>] = []
        var children: [Int32] = []
        var terminals: [Terminal] = []
        var queryNames: [[UInt8]] = []
        var text: [UInt8] = []
        var slots: [LiteralEdge]

        init(edgeCount: Int) {
            var capacity = 2
            while capacity < edgeCount * 2 { capacity *= 2 }
            slots = Array(repeating: LiteralEdge(), count: capacity)
        }

        mutating func append(_ routes: [Int], _ patterns: [RoutePattern]) -> Range<Int32> {
            let start = Int32(terminals.count)
            // Routes with equal counts never match the same link, so their order doesn't matter.
            for route in routes.sorted(by: { patterns[$0].requiredQuery.count > patterns[$1].requiredQuery.count }) {
                let queryStart = Int32(queryNames.count)
                queryNames += patterns[route].requiredQuery.map { Array($0.utf8) }
                terminals.append(Terminal(route: Int32(route), query: queryStart..<Int32(queryNames.count)))
            }
            return start..<Int32(terminals.count)
        }

        mutating func append(_ lists: [(list: Int, child: Int)], of parent: Int32, _ vocabulary: RouteVocabulary) {
            guard !lists.isEmpty else { return }
            var edges: [(word: Int, child: Int)] = []
            for (list, child) in lists { edges += vocabulary.lists[list].map { ($0, child) } }
            edges.sort { ($0.word, $0.child) < ($1.word, $1.child) }
            for (place, edge) in edges.enumerated() {
                if place == 0 || edges[place - 1].word != edge.word {
                    insert(parent: ~parent, bytes: vocabulary.texts[edge.word], child: Int32(wordChildren.count))
                    wordChildren.append(Int32(children.count)..<Int32(children.count))
                }
                children.append(Int32(edge.child))
                let last = wordChildren.count - 1
                wordChildren[last] = wordChildren[last].lowerBound..<Int32(children.count)
            }
        }

        mutating func append(
            _ edges: [(affixes: Int, child: Int)], _ builder: RouteTrieBuilder
        ) -> Range<Int32> {
            let start = affixLengths.count
            let vocabulary = builder.vocabulary
            let sorted = edges.map { edge in
                let affixes = vocabulary.affixes[edge.affixes]
                return (vocabulary.texts[affixes.prefix], vocabulary.texts[affixes.suffix], edge.child)
            }.sorted { left, right in
                (right.0.count + right.1.count, right.0.count) < (left.0.count + left.1.count, left.0.count)
            }
            for (prefix, suffix, child) in sorted {
                var lengths = AffixLengths(prefix: Int32(prefix.count), suffix: Int32(suffix.count))
                if affixLengths.count > start, let last = affixLengths.last, last.prefix == lengths.prefix,
                    last.suffix == lengths.suffix
                {
                    lengths = affixLengths.removeLast()
                }
                let values = builder.nodes[child]
                if !values.open.isEmpty || !values.lists.isEmpty { lengths.hasTyped = true }
                if values.plain != nil { lengths.hasPlain = true }
                insert(parent: .min + Int32(affixLengths.count), bytes: prefix + suffix, child: Int32(child))
                affixLengths.append(lengths)
            }
            return Int32(start)..<Int32(affixLengths.count)
        }

        mutating func insert(parent: Int32, bytes: [UInt8], child: Int32) {
            let start = Int32(text.count)
            text += bytes
            let mask = slots.count - 1
            var slot = RouteTrie.mix(bytes.foldedHash, parent) & mask
            while slots[slot].child >= 0 { slot = (slot + 1) & mask }
            slots[slot] = LiteralEdge(parent: parent, child: child, start: start, count: Int32(bytes.count))
        }
    }

    fileprivate static func mix(_ hash: UInt64, _ parent: Int32) -> Int {
        let value = (hash ^ UInt64(UInt32(bitPattern: parent))) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: value >> 32)
    }
}

extension RouteTrie.View {
    /// The node with the values between affixes of the given lengths in a segment, or -1.
    func affixChild(_ lengths: Int32, segment: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
        let prefix = bytes[segment.prefix(Int(affixLengths[Int(lengths)].prefix))]
        let suffix = bytes[segment.suffix(Int(affixLengths[Int(lengths)].suffix))]
        let parent = Int32.min + lengths
        var slot = RouteTrie.mix(suffix.foldedHash(after: prefix.foldedHash), parent) & mask
        while true {
            let edge = slots + slot
            if edge.pointee.child < 0 { return -1 }
            if edge.pointee.parent == parent {
                let start = text + Int(edge.pointee.start)
                let isEqual =
                    UnsafeBufferPointer(start: start, count: prefix.count)
                    .elementsEqual(prefix.lazy.map(ASCII.lowercased))
                    && UnsafeBufferPointer(start: start + prefix.count, count: suffix.count)
                        .elementsEqual(suffix.lazy.map(ASCII.lowercased))
                if isEqual { return edge.pointee.child }
            }
            slot = (slot + 1) & mask
        }
    }

    /// The child for a literal, or -1.
    @inline(__always)
    func literalChild(
        of parent: Int32, segment: LinkText.Segment, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Int32 {
        var slot = RouteTrie.mix(segment.hash, parent) & mask
        while true {
            let edge = slots + slot
            if edge.pointee.child < 0 { return -1 }
            if edge.pointee.parent == parent {
                let literal = UnsafeBufferPointer(start: text + Int(edge.pointee.start), count: Int(edge.pointee.count))
                let isEqual = literal.elementsEqual(bytes[segment.range].lazy.map(ASCII.lowercased))
                if isEqual { return edge.pointee.child }
            }
            slot = (slot + 1) & mask
        }
    }
}
