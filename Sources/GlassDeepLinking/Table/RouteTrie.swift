/// The frozen trie: flat arrays, and one hash table for all literal edges.
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
    }

    struct LiteralEdge: Sendable {
        var parent: Int32
        var child: Int32
        /// The folded text in `text`.
        var start: Int32
        var count: Int32
        /// The last eight bytes of it.
        var tail: UInt64
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
    struct View {
        let nodes: UnsafePointer<Node>
        let typedEdges: UnsafePointer<TypedEdge>
        let terminals: UnsafePointer<Terminal>
        let queryNames: UnsafePointer<[UInt8]>
        let literalEdges: UnsafePointer<LiteralEdge>
        let text: UnsafePointer<UInt8>
        /// Open addressing: an index into `literalEdges`, or -1. At most half of the slots are taken.
        let slots: UnsafePointer<Int32>
        let mask: Int
    }

    let view: View
    private let counts: (nodes: Int, typedEdges: Int, terminals: Int, queryNames: Int, literalEdges: Int)

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
                    catchAlls: catchAlls, hasLiterals: !node.literals.isEmpty))
        }
        view = View(
            nodes: RouteTrie.allocate(parts.nodes), typedEdges: RouteTrie.allocate(parts.typedEdges),
            terminals: RouteTrie.allocate(parts.terminals), queryNames: RouteTrie.allocate(parts.queryNames),
            literalEdges: RouteTrie.allocate(parts.literalEdges), text: RouteTrie.allocate(parts.text),
            slots: RouteTrie.allocate(parts.slots), mask: parts.slots.count - 1)
        counts = (
            parts.nodes.count, parts.typedEdges.count, parts.terminals.count, parts.queryNames.count,
            parts.literalEdges.count
        )
    }

    deinit {
        RouteTrie.free(view.nodes, counts.nodes)
        RouteTrie.free(view.typedEdges, counts.typedEdges)
        RouteTrie.free(view.terminals, counts.terminals)
        RouteTrie.free(view.queryNames, counts.queryNames)
        RouteTrie.free(view.literalEdges, counts.literalEdges)
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
        var literalEdges: [LiteralEdge] = []
        var text: [UInt8] = []
        var slots: [Int32]

        init(edgeCount: Int) {
            var capacity = 2
            while capacity < edgeCount * 2 { capacity *= 2 }
            slots = Array(repeating: -1, count: capacity)
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
            literalEdges.append(
                LiteralEdge(
                    parent: Int32(parent), child: Int32(child), start: start, count: Int32(bytes.count), tail: hash.tail
                ))
            let mask = slots.count - 1
            var slot = RouteTrie.mix(hash.value, Int32(parent)) & mask
            while slots[slot] >= 0 { slot = (slot + 1) & mask }
            slots[slot] = Int32(literalEdges.count - 1)
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
        while slots[slot] >= 0 {
            let edge = literalEdges + Int(slots[slot])
            if edge.pointee.parent == parent, edge.pointee.tail == segment.tail,
                edge.pointee.count == segment.end - segment.start, isEqual(edge, segment, bytes)
            {
                return edge.pointee.child
            }
            slot = (slot + 1) & mask
        }
        return -1
    }

    /// Whether the bytes before the last eight are equal; the tails are.
    @inline(__always)
    private func isEqual(
        _ edge: UnsafePointer<RouteTrie.LiteralEdge>, _ segment: LinkText.Segment, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        var offset = 0
        while offset < Int(edge.pointee.count) - 8 {
            if text[Int(edge.pointee.start) + offset] != ASCII.lowercased(bytes[Int(segment.start) + offset]) {
                return false
            }
            offset += 1
        }
        return true
    }
}
