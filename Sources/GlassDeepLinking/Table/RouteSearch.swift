/// A search for a link in a trie.
///
/// The search moves a *group* of nodes whose patterns have equal rank so far: for the next segment, it tries first all
/// literal children of the group, then those with affixes (the longest first), then all typed ones, then the plain ones,
/// and then the catch-alls. Depth first in this order, candidates are found in the order of their rank. Each node has
/// one parent and belongs to one group, so none is visited twice.
struct RouteSearch {
    private let trie: RouteTrie.View
    private let bytes: UnsafeBufferPointer<UInt8>
    private let segments: UnsafeBufferPointer<LinkText.Segment>
    /// The link as written, for its query.
    private let text: UnsafeBufferPointer<UInt8>
    private let query: Range<Int>
    private var visits = 0

    /// The groups on the current branch, one after the other. No branch contains more nodes than the worst link visits,
    /// which is the table's capacity.
    private let stack: UnsafeMutableBufferPointer<Int32>
    /// The number of elements on the stack; initially the root.
    private var count = 1

    /// Calls `body` with each matching route, the most specific first, until it returns false.
    static func run(_ routes: borrowing FrozenRoutes, link: borrowing LinkText, _ body: (Int) -> Bool) -> Int {
        // Numbers and pointers, so that the closures retain nothing.
        let (view, query, capacity) = (routes.trie.view, link.layout.query, routes.capacity)
        let visits = link.withSegments { text, bytes, segments in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: capacity) { stack in
                // The pointers are valid until the closures return, and the search does not outlive them.
                stack.initializeElement(at: 0, to: 0)
                var search = RouteSearch(
                    trie: view, bytes: bytes, segments: segments, text: text, query: query, stack: stack)
                _ = search.visit(node: 0, depth: 0, body)
                return search.visits
            }
        }
        // The view points into memory that the routes own.
        withExtendedLifetime(routes) {}
        return visits
    }

    /// Visits a single node, the usual case, which needs no stack. Several nodes have equal rank only after typed
    /// segments.
    ///
    /// The order is that of ranks: a literal precedes affixes, these precede a type, a type precedes a plain parameter,
    /// and that precedes a catch-all, segment by segment from the left. So everything below the literal child is found
    /// before anything below a typed one, and the catch-alls of this node, which rank by this segment alone, are found
    /// last.
    ///
    /// The last descent is a loop instead of a tail call, which Swift doesn't guarantee to optimize.
    private mutating func visit(node index: Int32, depth: Int, _ body: (Int) -> Bool) -> Bool {
        var (index, depth) = (index, depth)
        while true {
            visits += 1
            let node = trie.nodes + Int(index)
            // A catch-all matches at least one segment, so at the end of the link only routes that end here match.
            if depth == segments.count { return report(node.pointee.ends, body) }
            if node.pointee.hasLiterals {
                let child = trie.literalChild(of: index, segment: segments[depth], in: bytes)
                // No alternatives are left to return to.
                if node.pointee.isOnlyLiterals {
                    if child < 0 { return true }
                    index = child
                    depth += 1
                    continue
                }
                if child >= 0, !visit(node: child, depth: depth + 1, body) { return false }
            }
            if !node.pointee.affixes.isEmpty {
                let base = count
                // There is room, because the analysis counts a node with affixes more than once.
                push(index)
                visits += node.pointee.affixes.count
                let isGoingOn = visitAffixed(base..<count, depth: depth, body)
                count = base
                if !isGoingOn { return false }
            }
            if node.pointee.hasTyped {
                let base = count
                pushTyped(index, segments[depth])
                if !descend(from: base, depth: depth, body) { return false }
            }
            let plain = node.pointee.plain
            if plain < 0 { return report(node.pointee.catchAlls, body) }
            // Only a node with both has to be revisited after its plain child.
            if !node.pointee.catchAlls.isEmpty {
                if !visit(node: plain, depth: depth + 1, body) { return false }
                return report(node.pointee.catchAlls, body)
            }
            index = plain
            depth += 1
        }
    }

    /// Reports the routes of a node. They were sorted by rank when the trie was built: more required query items first.
    @inline(__always)
    private func report(_ terminals: Range<Int32>, _ body: (Int) -> Bool) -> Bool {
        for terminal in terminals where isSatisfied(trie.terminals[Int(terminal)]) {
            if !body(Int(trie.terminals[Int(terminal)].route)) { return false }
        }
        return true
    }

    /// Visits several nodes whose patterns have equal rank so far, such as `:a(int)` and `:b(slug)` for the segment
    /// `1`: kind by kind over all nodes instead of node by node, because a literal below any of them precedes a type
    /// below each.
    private mutating func visit(_ group: Range<Int>, depth: Int, _ body: (Int) -> Bool) -> Bool {
        visits += group.count
        if depth == segments.count { return report(group, areCatchAlls: false, body) }
        let place = segments[depth]
        let base = count

        for index in group where trie.nodes[Int(stack[index])].hasLiterals {
            push(trie.literalChild(of: stack[index], segment: place, in: bytes))
        }
        if !descend(from: base, depth: depth, body) { return false }

        for index in group { visits += trie.nodes[Int(stack[index])].affixes.count }
        if !visitAffixed(group, depth: depth, body) { return false }

        for index in group { pushTyped(stack[index], place) }
        if !descend(from: base, depth: depth, body) { return false }

        for index in group { push(trie.nodes[Int(stack[index])].plain) }
        if !descend(from: base, depth: depth, body) { return false }

        return report(group, areCatchAlls: true, body)
    }

    /// Visits what is below the segment's affixes: the longest first, of equal length those around a typed value first.
    private mutating func visitAffixed(_ group: Range<Int>, depth: Int, _ body: (Int) -> Bool) -> Bool {
        var length = Int32.max
        while true {
            var next: Int32 = -1
            for index in group {
                let all = trie.nodes[Int(stack[index])].affixes
                guard let first = all.first(where: { trie.affixLengths[Int($0)].total < length }) else { continue }
                next = max(next, trie.affixLengths[Int(first)].total)
            }
            if next < 0 { return true }
            length = next
            let base = count
            pushAffixed(group, length: length, areTyped: true, segments[depth].range)
            if !descend(from: base, depth: depth, body) { return false }
            pushAffixed(group, length: length, areTyped: false, segments[depth].range)
            if !descend(from: base, depth: depth, body) { return false }
        }
    }

    /// Pushes the children of nodes that accept the value between affixes of a total length.
    private mutating func pushAffixed(_ group: Range<Int>, length: Int32, areTyped: Bool, _ segment: Range<Int>) {
        guard Int(length) < segment.count else { return }
        for index in group {
            for number in trie.nodes[Int(stack[index])].affixes {
                let lengths = trie.affixLengths[Int(number)]
                if lengths.total < length { break }
                guard lengths.total == length, areTyped ? lengths.hasTyped : lengths.hasPlain else { continue }
                let values = trie.affixChild(number, segment: segment, in: bytes)
                if values < 0 { continue }
                guard areTyped else {
                    push(trie.nodes[Int(values)].plain)
                    continue
                }
                let value = segment.dropFirst(Int(lengths.prefix)).dropLast(Int(lengths.suffix))
                pushTyped(values, LinkText.Segment(range: value, hash: bytes[value].foldedHash))
            }
        }
    }

    /// Pushes the typed children of a node that accept a segment: those with lists by one lookup in the hash table, and
    /// the others, at most four, one by one.
    private mutating func pushTyped(_ index: Int32, _ place: LinkText.Segment) {
        let node = trie.nodes + Int(index)
        if node.pointee.hasLists {
            let word = trie.literalChild(of: ~index, segment: place, in: bytes)
            if word >= 0 {
                for child in trie.wordChildren[Int(word)] { push(trie.children[Int(child)]) }
            }
        }
        guard !node.pointee.typed.isEmpty else { return }
        let segment = UnsafeBufferPointer(rebasing: bytes[place.range])
        for edge in node.pointee.typed where trie.typedEdges[Int(edge)].type.accepts(segment) {
            push(trie.typedEdges[Int(edge)].child)
        }
    }

    private mutating func push(_ node: Int32) {
        guard node >= 0 else { return }
        // Guaranteed by the worst-case analysis; checked because a write out of bounds would corrupt memory.
        precondition(count < stack.count)
        stack.initializeElement(at: count, to: node)
        count += 1
    }

    /// Visits the nodes pushed since a position on the stack, and pops them, so that the next group can use it.
    private mutating func descend(from base: Int, depth: Int, _ body: (Int) -> Bool) -> Bool {
        guard count > base else { return true }
        let isGoingOn =
            count == base + 1
            ? visit(node: stack[base], depth: depth + 1, body) : visit(base..<count, depth: depth + 1, body)
        count = base
        return isGoingOn
    }

    /// Reports the routes of a group. The nodes have equal rank, so their routes are sorted together by the remaining
    /// criterion: required query items.
    private func report(_ group: Range<Int>, areCatchAlls: Bool, _ body: (Int) -> Bool) -> Bool {
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
        LinkText.hasValue(name, text, query)
    }
}
