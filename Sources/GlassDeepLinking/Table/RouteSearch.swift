/// One search of a link in a trie.
///
/// It moves a *group* of nodes whose patterns rank equal so far: for the next segment first all literal children of the
/// group, then all typed ones, then the plain ones, then the catch-alls. Depth first in that order, candidates come out
/// in the order of rank. Each node has one parent and belongs to one group, so none is visited twice.
struct RouteSearch {
    private let trie: RouteTrie
    private let bytes: UnsafeBufferPointer<UInt8>
    private let ends: UnsafeBufferPointer<Int>
    private let queryItems: [QueryItem]
    private var visits = 0

    /// The groups on the current branch, one behind the other. No branch holds more nodes than the worst link visits.
    private let stack: UnsafeMutableBufferPointer<Int32>
    private var count = 1

    /// Calls `body` with each matching route, the most specific first, until it returns false.
    ///
    /// - Parameters:
    ///   - trie: The trie.
    ///   - capacity: The most nodes that any link visits.
    ///   - link: The link.
    ///   - body: Takes a route's ordinal and says whether to go on.
    /// - Returns: How many nodes were visited.
    static func run(_ trie: RouteTrie, capacity: Int, link: DeepLink, _ body: (Int) -> Bool) -> Int {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: capacity) { stack in
            link.path.bytes.withUnsafeBufferPointer { bytes in
                link.path.ends.withUnsafeBufferPointer { ends in
                    // The pointers are valid until the closures return, and the search does not outlive them.
                    var search = RouteSearch(trie, bytes, ends, link.queryItems, stack)
                    _ = search.visit(0..<1, depth: 0, body)
                    return search.visits
                }
            }
        }
    }

    private init(
        _ trie: RouteTrie, _ bytes: UnsafeBufferPointer<UInt8>, _ ends: UnsafeBufferPointer<Int>,
        _ queryItems: [QueryItem], _ stack: UnsafeMutableBufferPointer<Int32>
    ) {
        self.trie = trie
        self.bytes = bytes
        self.ends = ends
        self.queryItems = queryItems
        self.stack = stack
        stack.initializeElement(at: 0, to: 0)
    }

    /// - Returns: Whether to go on.
    private mutating func visit(_ group: Range<Int>, depth: Int, _ body: (Int) -> Bool) -> Bool {
        visits += group.count
        if depth == ends.count { return report(group, areCatchAlls: false, body) }
        let start = depth == 0 ? 0 : ends[depth - 1]
        let segment = UnsafeBufferPointer(rebasing: bytes[start..<ends[depth]])
        let base = count

        let hash = RouteTrie.hash(segment)
        for index in group where trie.nodes[Int(stack[index])].hasLiterals {
            push(trie.literalChild(of: stack[index], segment: segment, hash: hash))
        }
        if !descend(from: base, depth: depth, body) { return false }

        for index in group {
            for edge in trie.nodes[Int(stack[index])].typed where trie.typedEdges[Int(edge)].type.accepts(segment) {
                push(trie.typedEdges[Int(edge)].child)
            }
        }
        if !descend(from: base, depth: depth, body) { return false }

        for index in group { push(trie.nodes[Int(stack[index])].plain) }
        if !descend(from: base, depth: depth, body) { return false }

        return report(group, areCatchAlls: true, body)
    }

    private mutating func push(_ node: Int32) {
        guard node >= 0 else { return }
        // Holds by the computation of the worst link; it is checked because a write beyond would corrupt memory.
        precondition(count < stack.count)
        stack.initializeElement(at: count, to: node)
        count += 1
    }

    private mutating func descend(from base: Int, depth: Int, _ body: (Int) -> Bool) -> Bool {
        guard count > base else { return true }
        let isGoingOn = visit(base..<count, depth: depth + 1, body)
        count = base
        return isGoingOn
    }

    private func report(_ group: Range<Int>, areCatchAlls: Bool, _ body: (Int) -> Bool) -> Bool {
        if group.count == 1 {
            // The usual case: one node, whose routes are sorted.
            for terminal in terminals(group.lowerBound, areCatchAlls) where isSatisfied(trie.terminals[Int(terminal)]) {
                if !body(Int(trie.terminals[Int(terminal)].route)) { return false }
            }
            return true
        }
        var found: [RouteTrie.Terminal] = []
        for index in group {
            for terminal in terminals(index, areCatchAlls) where isSatisfied(trie.terminals[Int(terminal)]) {
                found.append(trie.terminals[Int(terminal)])
            }
        }
        found.sort { $0.query.count > $1.query.count }
        for terminal in found where !body(Int(terminal.route)) { return false }
        return true
    }

    private func terminals(_ index: Int, _ areCatchAlls: Bool) -> Range<Int32> {
        let node = trie.nodes[Int(stack[index])]
        return areCatchAlls ? node.catchAlls : node.ends
    }

    private func isSatisfied(_ terminal: RouteTrie.Terminal) -> Bool {
        for name in terminal.query where !isPresent(trie.queryNames[Int(name)]) { return false }
        return true
    }

    private func isPresent(_ name: [UInt8]) -> Bool {
        queryItems.contains { $0.name.utf8.elementsEqual(name) && $0.value?.isEmpty == false }
    }
}
