/// The frozen trie: flat arrays, and one hash table for all literal edges.
///
/// A class, so that a search retains one object rather than each array.
final class RouteTrie: Sendable {
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
        var range: Range<Int32>
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

    let nodes: [Node]
    let typedEdges: [TypedEdge]
    let terminals: [Terminal]
    let queryNames: [[UInt8]]
    private let literalEdges: [LiteralEdge]
    private let text: [UInt8]
    /// Open addressing: an index into `literalEdges`, or -1. At most half of the slots are taken.
    private let slots: [Int32]

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
        nodes = parts.nodes
        typedEdges = parts.typedEdges
        terminals = parts.terminals
        queryNames = parts.queryNames
        literalEdges = parts.literalEdges
        text = parts.text
        slots = parts.slots
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
            literalEdges.append(
                LiteralEdge(parent: Int32(parent), child: Int32(child), range: start..<Int32(text.count)))
            let mask = slots.count - 1
            var slot = RouteTrie.mix(bytes.withUnsafeBufferPointer(RouteTrie.hash), Int32(parent)) & mask
            while slots[slot] >= 0 { slot = (slot + 1) & mask }
            slots[slot] = Int32(literalEdges.count - 1)
        }
    }

    /// The child for a literal, or -1.
    ///
    /// - Parameters:
    ///   - parent: The node.
    ///   - segment: The segment as the link has it; its case is folded here.
    ///   - hash: What ``hash(_:)`` gives for it.
    func literalChild(of parent: Int32, segment: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int32 {
        let mask = slots.count - 1
        var slot = RouteTrie.mix(hash, parent) & mask
        while slots[slot] >= 0 {
            let edge = literalEdges[Int(slots[slot])]
            if edge.parent == parent, edge.range.count == segment.count, isEqual(edge.range, segment) {
                return edge.child
            }
            slot = (slot + 1) & mask
        }
        return -1
    }

    private func isEqual(_ range: Range<Int32>, _ segment: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = Int(range.lowerBound)
        for byte in segment {
            if text[index] != ASCII.lowercased(byte) { return false }
            index += 1
        }
        return true
    }

    /// FNV-1a over the folded bytes.
    static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(ASCII.lowercased(byte))) &* 0x100_0000_01B3 }
        return hash
    }

    private static func mix(_ hash: UInt64, _ parent: Int32) -> Int {
        let value = (hash ^ UInt64(parent)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: value >> 32)
    }
}
