/// The frozen trie: flat arrays, and one hash table that holds all literal edges.
///
/// The arrays are allocated by hand, so that a search counts no references.
final class RouteTrie: @unchecked Sendable {
    // Proof: what `view` points to is written in `init` only and freed in `deinit`.
    struct Node: Sendable {
        var typed: Range<Int32>
        var plain: Int32
        var ends: Range<Int32>
        var catchAlls: Range<Int32>
        var hasLiterals: Bool
        /// Whether a literal child is all there is to try, so that a search need not come back.
        var isOnlyLiterals: Bool
    }

    /// A slot of the hash table: an edge, or none where there is no child.
    struct LiteralEdge: Sendable {
        var parent: Int32 = -1
        var child: Int32 = -1
        /// The folded text in `text`.
        var start: Int32 = 0
        var count: Int32 = 0
        /// The last eight bytes of it.
        var tail: UInt64 = 0
    }

    struct TypedEdge: Sendable {
        var type: ParameterType
        var child: Int32
    }

    /// A route that ends at a node, and the names of the query items that it requires.
    struct Terminal: Sendable {
        var route: Int32
        var query: Range<Int32>
    }

    /// The arrays without their lengths: the indices in them were made by `init`.
    struct View: @unchecked Sendable {  // Nothing writes to what it points to once it is made.
        let nodes: UnsafePointer<Node>
        let typedEdges: UnsafePointer<TypedEdge>
        let terminals: UnsafePointer<Terminal>
        let queryNames: UnsafePointer<[UInt8]>
        let text: UnsafePointer<UInt8>
        /// Open addressing. At most half of the slots are taken.
        let slots: UnsafePointer<LiteralEdge>
        let mask: Int
    }

    let view: View
    private let counts: (nodes: Int, typedEdges: Int, terminals: Int, queryNames: Int)

    init(_ builder: RouteTrieBuilder, patterns: [RoutePattern]) {
        var parts = Parts(edgeCount: builder.nodes.reduce(0) { $0 + $1.literals.count })
        for (index, node) in builder.nodes.enumerated() {
            for (bytes, child) in node.literals { parts.insert(parent: index, bytes: bytes, child: child) }
            let typedStart = Int32(parts.typedEdges.count)
            parts.typedEdges += node.typed.map { TypedEdge(type: $0.type, child: Int32($0.child)) }
            let ends = parts.append(node.ends, patterns)
            let catchAlls = parts.append(node.catchAlls, patterns)
            parts.nodes.append(
                Node(
                    typed: typedStart..<Int32(parts.typedEdges.count), plain: Int32(node.plain ?? -1), ends: ends,
                    catchAlls: catchAlls, hasLiterals: !node.literals.isEmpty,
                    isOnlyLiterals: node.typed.isEmpty && node.plain == nil && catchAlls.isEmpty))
        }
        view = View(
            nodes: RouteTrie.allocate(parts.nodes), typedEdges: RouteTrie.allocate(parts.typedEdges),
            terminals: RouteTrie.allocate(parts.terminals), queryNames: RouteTrie.allocate(parts.queryNames),
            text: RouteTrie.allocate(parts.text), slots: RouteTrie.allocate(parts.slots), mask: parts.slots.count - 1)
        counts = (parts.nodes.count, parts.typedEdges.count, parts.terminals.count, parts.queryNames.count)
    }

    deinit {
        RouteTrie.free(view.nodes, counts.nodes)
        RouteTrie.free(view.typedEdges, counts.typedEdges)
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

    /// The arrays while they grow.
    private struct Parts {
        var nodes: [Node] = []
        var typedEdges: [TypedEdge] = []
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
            // Equal counts never match the same link, so their order is of no matter.
            for route in routes.sorted(by: { patterns[$0].requiredQuery.count > patterns[$1].requiredQuery.count }) {
                let queryStart = Int32(queryNames.count)
                queryNames += patterns[route].requiredQuery.map { Array($0.utf8) }
                terminals.append(Terminal(route: Int32(route), query: queryStart..<Int32(queryNames.count)))
            }
            return start..<Int32(terminals.count)
        }

        mutating func insert(parent: Int, bytes: [UInt8], child: Int) {
            let start = Int32(text.count)
            text += bytes
            let hash = FoldedHash(bytes)
            let mask = slots.count - 1
            var slot = RouteTrie.mix(hash.value, Int32(parent)) & mask
            while slots[slot].child >= 0 { slot = (slot + 1) & mask }
            slots[slot] = LiteralEdge(
                parent: Int32(parent), child: Int32(child), start: start, count: Int32(bytes.count), tail: hash.tail)
        }
    }

    fileprivate static func mix(_ hash: UInt64, _ parent: Int32) -> Int {
        let value = (hash ^ UInt64(parent)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: value >> 32)
    }
}

extension RouteTrie.View {
    /// The child for a literal, or -1.
    ///
    /// - Parameters:
    ///   - parent: The node.
    ///   - segment: The segment with its hash.
    ///   - bytes: The bytes that it is in, in the case of the link.
    @inline(__always)
    func literalChild(
        of parent: Int32, segment: LinkText.Segment, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Int32 {
        var slot = RouteTrie.mix(segment.hash, parent) & mask
        while true {
            let edge = slots + slot
            if edge.pointee.child < 0 { return -1 }
            if edge.pointee.parent == parent, edge.pointee.tail == segment.tail,
                edge.pointee.count == segment.end - segment.start, isEqual(edge, segment, bytes)
            {
                return edge.pointee.child
            }
            slot = (slot + 1) & mask
        }
    }

    /// Whether the bytes before the last eight are equal; the tails are.
    @inline(__always)
    private func isEqual(
        _ edge: UnsafePointer<RouteTrie.LiteralEdge>, _ segment: LinkText.Segment, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        // Whole words lie within the text, since it goes on for the eight bytes of the tail.
        var offset = 0
        while offset < Int(edge.pointee.count) - 8 {
            let wanted = UnsafeRawPointer(text + Int(edge.pointee.start) + offset).loadUnaligned(as: UInt64.self)
            if UInt64(bigEndian: wanted) != ByteWord(bytes, at: Int(segment.start) + offset).folded { return false }
            offset += 8
        }
        return true
    }
}
