/// The frozen trie: flat arrays, and one hash table for all literal edges.
struct RouteTrie: Sendable {
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

    /// A route and how many query items it requires.
    struct Terminal: Sendable {
        var route: Int32
        var query: [[UInt8]]
    }

    private(set) var nodes: [Node] = []
    private(set) var typedEdges: [TypedEdge] = []
    private(set) var terminals: [Terminal] = []
    private var literalEdges: [LiteralEdge] = []
    private var text: [UInt8] = []
    /// Open addressing: an index into `literalEdges`, or -1. At most half of the slots are taken.
    private var slots: [Int32]
    private let mask: Int

    init(_ builder: RouteTrieBuilder, patterns: [RoutePattern]) {
        let edgeCount = builder.nodes.reduce(0) { $0 + $1.literals.count }
        var capacity = 2
        while capacity < edgeCount * 2 { capacity *= 2 }
        slots = Array(repeating: -1, count: capacity)
        mask = capacity - 1
        // Routes that failed to compile never reach this point, so ordinals index `patterns`.
        let queries = patterns.map { pattern in pattern.requiredQuery.map { Array($0.utf8) } }
        for (index, node) in builder.nodes.enumerated() {
            for (bytes, child) in node.literals { insert(parent: index, bytes: bytes, child: child) }
            let typedStart = Int32(typedEdges.count)
            typedEdges += node.typed.map { TypedEdge(type: $0.type, child: Int32($0.child)) }
            let ends = append(node.ends, queries)
            let catchAlls = append(node.catchAlls, queries)
            nodes.append(
                Node(
                    typed: typedStart..<Int32(typedEdges.count), plain: Int32(node.plain ?? -1), ends: ends,
                    catchAlls: catchAlls, hasLiterals: !node.literals.isEmpty))
        }
    }

    private mutating func append(_ routes: [Int], _ queries: [[[UInt8]]]) -> Range<Int32> {
        let start = Int32(terminals.count)
        // A sort is not stable by contract; equal counts never match the same link, so their order is of no matter.
        let sorted = routes.sorted { queries[$0].count > queries[$1].count }
        terminals += sorted.map { Terminal(route: Int32($0), query: queries[$0]) }
        return start..<Int32(terminals.count)
    }

    private mutating func insert(parent: Int, bytes: [UInt8], child: Int) {
        let start = Int32(text.count)
        text += bytes
        literalEdges.append(
            LiteralEdge(parent: Int32(parent), child: Int32(child), range: start..<Int32(text.count)))
        var slot = RouteTrie.mix(RouteTrie.hash(bytes[...]), parent) & mask
        while slots[slot] >= 0 { slot = (slot + 1) & mask }
        slots[slot] = Int32(literalEdges.count - 1)
    }

    /// The child for a literal, or `nil`.
    ///
    /// - Parameters:
    ///   - parent: The node.
    ///   - segment: The segment as the link has it; its case is folded here.
    ///   - hash: What ``hash(_:)`` gives for it.
    func literalChild(of parent: Int32, segment: ArraySlice<UInt8>, hash: UInt64) -> Int32? {
        var slot = RouteTrie.mix(hash, Int(parent)) & mask
        while slots[slot] >= 0 {
            let edge = literalEdges[Int(slots[slot])]
            if edge.parent == parent, edge.range.count == segment.count, isEqual(edge.range, segment) {
                return edge.child
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private func isEqual(_ range: Range<Int32>, _ segment: ArraySlice<UInt8>) -> Bool {
        var index = Int(range.lowerBound)
        for byte in segment {
            if text[index] != ASCII.lowercased(byte) { return false }
            index += 1
        }
        return true
    }

    /// FNV-1a over the folded bytes.
    static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(ASCII.lowercased(byte))) &* 0x100_0000_01B3 }
        return hash
    }

    private static func mix(_ hash: UInt64, _ parent: Int) -> Int {
        let value = (hash ^ UInt64(parent)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: value >> 32)
    }
}
