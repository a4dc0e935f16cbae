/// One search of a link in a trie.
///
/// It moves a *group* of nodes whose patterns rank equal so far: for the next segment first all literal children of the
/// group, then all typed ones, then the plain ones, then the catch-alls. Depth first in that order, candidates come out
/// in the order of rank. Each node has one parent and belongs to one group, so none is visited twice.
struct RouteSearch {
    let trie: RouteTrie
    let path: LinkPath
    let queryItems: [QueryItem]
    private(set) var visits = 0

    /// The groups on the current branch, one behind the other.
    private var stack: [Int32] = [0]

    init(trie: RouteTrie, path: LinkPath, queryItems: [QueryItem]) {
        self.trie = trie
        self.path = path
        self.queryItems = queryItems
    }

    /// Calls `body` with each matching route, the most specific first, until it returns false.
    mutating func run(_ body: (Int) -> Bool) {
        _ = visit(0..<1, depth: 0, body)
    }

    /// - Returns: Whether to go on.
    private mutating func visit(_ group: Range<Int>, depth: Int, _ body: (Int) -> Bool) -> Bool {
        visits += group.count
        if depth == path.count { return report(group, \.ends, body) }
        let segment = path[depth]
        let hash = RouteTrie.hash(segment)
        let base = stack.count

        for index in group where trie.nodes[Int(stack[index])].hasLiterals {
            if let child = trie.literalChild(of: stack[index], segment: segment, hash: hash) { stack.append(child) }
        }
        if !descend(from: base, depth: depth, body) { return false }

        for index in group {
            for edge in trie.nodes[Int(stack[index])].typed
            where trie.typedEdges[Int(edge)].type.accepts(bytes: segment) {
                stack.append(trie.typedEdges[Int(edge)].child)
            }
        }
        if !descend(from: base, depth: depth, body) { return false }

        for index in group {
            let child = trie.nodes[Int(stack[index])].plain
            if child >= 0 { stack.append(child) }
        }
        if !descend(from: base, depth: depth, body) { return false }

        return report(group, \.catchAlls, body)
    }

    private mutating func descend(from base: Int, depth: Int, _ body: (Int) -> Bool) -> Bool {
        guard stack.count > base else { return true }
        let isGoingOn = visit(base..<stack.count, depth: depth + 1, body)
        stack.removeSubrange(base...)
        return isGoingOn
    }

    private func report(
        _ group: Range<Int>, _ terminals: KeyPath<RouteTrie.Node, Range<Int32>>, _ body: (Int) -> Bool
    ) -> Bool {
        var found: [RouteTrie.Terminal] = []
        for index in group {
            for terminal in trie.nodes[Int(stack[index])][keyPath: terminals] {
                let terminal = trie.terminals[Int(terminal)]
                if terminal.query.allSatisfy(isPresent) { found.append(terminal) }
            }
        }
        // Within one node they are sorted already; several nodes are merged here.
        if group.count > 1 { found.sort { $0.query.count > $1.query.count } }
        for terminal in found where !body(Int(terminal.route)) { return false }
        return true
    }

    private func isPresent(_ name: [UInt8]) -> Bool {
        queryItems.contains { $0.name.utf8.elementsEqual(name) && $0.value?.isEmpty == false }
    }
}
