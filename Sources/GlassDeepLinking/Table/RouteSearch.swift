/// One search of a link in a trie.
///
/// It moves a *group* of nodes whose patterns rank equal so far: for the next segment first all literal children of the
/// group, then all typed ones, then the plain ones, then the catch-alls. Depth first in that order, candidates come out
/// in the order of rank. Each node has one parent and belongs to one group, so none is visited twice.
struct RouteSearch {
    private let trie: RouteTrie.View
    private let bytes: UnsafeBufferPointer<UInt8>
    /// Finds a segment when the search first comes that deep: a miss seldom needs them all.
    private var segments: LinkText.SegmentReader
    /// The link as written, for its query.
    private let text: UnsafeBufferPointer<UInt8>
    private let query: Range<Int>
    private var visits = 0

    /// The groups on the current branch, one behind the other. No branch holds more nodes than the worst link visits,
    /// which is what the table's capacity says.
    private let stack: UnsafeMutableBufferPointer<Int32>
    /// How much of the stack is taken; the root is there from the start.
    private var count = 1

    /// Calls `body` with each matching route, the most specific first, until it returns false.
    @inline(__always)
    static func run(_ routes: FrozenRoutes, link: LinkText, _ body: (Int) -> Bool) -> Int {
        let (count, query, path) = (link.layout.segmentCount, link.layout.query, link.layout.path)
        let slashes = link.layout.slashes
        let host = link.layout.isHostASegment ? link.layout.host : 0..<0
        // The gate lets 32 segments pass unless it is told otherwise, and few tables have a link that visits more nodes.
        guard !link.layout.hasPathEscapes, count <= 32, routes.capacity <= 32 else {
            return runUnusual(routes, link, body)
        }
        let view = routes.view
        // Constant sizes lie on the stack without a check. Of the layout only numbers go in: whole, it would be copied
        // right after it was written, which waits for the writes.
        let visits = link.withBytes { text in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: 32) { stack in
                withUnsafeTemporaryAllocation(of: LinkText.Segment.self, capacity: 32) { storage in
                    let segments = LinkText.SegmentReader(
                        text, host: host, path: path, slashes: slashes, count: count, storage)
                    var search = RouteSearch(view, text, segments, text, query, stack)
                    _ = search.visit(node: 0, depth: 0, body)
                    return search.visits
                }
            }
        }
        // The view points into what the routes own.
        withExtendedLifetime(routes) {}
        return visits
    }

    /// The same for links with escapes, which are decoded first, and for tables whose worst link needs a larger stack.
    ///
    /// Not inlined: what it allocates would make the usual way pay for it.
    @inline(never)
    private static func runUnusual(_ routes: FrozenRoutes, _ link: LinkText, _ body: (Int) -> Bool) -> Int {
        let (view, layout) = (routes.view, link.layout)
        let visits = link.withBytes { text in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: routes.capacity) { stack in
                LinkText.withSegmentReader(text, layout) { bytes, segments in
                    // The pointers are valid until the closures return, and the search does not outlive them.
                    var search = RouteSearch(view, bytes, segments, text, layout.query, stack)
                    _ = search.visit(node: 0, depth: 0, body)
                    return search.visits
                }
            }
        }
        withExtendedLifetime(routes) {}
        return visits
    }

    private init(
        _ trie: RouteTrie.View, _ bytes: UnsafeBufferPointer<UInt8>,
        _ segments: LinkText.SegmentReader, _ text: UnsafeBufferPointer<UInt8>,
        _ query: Range<Int>, _ stack: UnsafeMutableBufferPointer<Int32>
    ) {
        self.trie = trie
        self.bytes = bytes
        self.segments = segments
        self.text = text
        self.query = query
        self.stack = stack
        stack.initializeElement(at: 0, to: 0)
    }

    /// The usual case: a group of one node, which needs no stack. Several nodes rank equal only behind typed places.
    ///
    /// The order is the one of ranks: a literal beats a type, a type beats a plain parameter, and that beats a catch-all,
    /// segment by segment from the left. So whatever is below the literal child comes out before anything below a typed
    /// one, and the catch-alls of this node, which rank by this segment alone, come out last.
    ///
    /// The last step down is taken by the loop and not by a call: it is a tail call that Swift does not promise to make.
    private mutating func visit(node index: Int32, depth: Int, _ body: (Int) -> Bool) -> Bool {
        var (index, depth) = (index, depth)
        while true {
            visits += 1
            let node = trie.nodes + Int(index)
            // A catch-all takes one segment at the least, so at the end of the link only routes that end here match.
            if depth == segments.count { return report(node.pointee.ends, body) }
            if node.pointee.hasLiterals {
                let child = trie.literalChild(of: index, segment: segments[depth], in: bytes)
                // Nothing is left to come back to.
                if node.pointee.isOnlyLiterals {
                    if child < 0 { return true }
                    index = child
                    depth += 1
                    continue
                }
                if child >= 0, !visit(node: child, depth: depth + 1, body) { return false }
            }
            if node.pointee.hasTyped {
                let base = count
                pushTyped(index, segments[depth])
                if !descend(from: base, depth: depth, body) { return false }
            }
            let plain = node.pointee.plain
            if plain < 0 { return report(node.pointee.catchAlls, body) }
            // Only a node with both has to be come back to once its plain child is done.
            if !node.pointee.catchAlls.isEmpty {
                if !visit(node: plain, depth: depth + 1, body) { return false }
                return report(node.pointee.catchAlls, body)
            }
            index = plain
            depth += 1
        }
    }

    /// Reports the routes of one node. They were put in order of rank when the trie was made: more required query items
    /// first.
    @inline(__always)
    private func report(_ terminals: Range<Int32>, _ body: (Int) -> Bool) -> Bool {
        for terminal in terminals where isSatisfied(trie.terminals[Int(terminal)]) {
            if !body(Int(trie.terminals[Int(terminal)].route)) { return false }
        }
        return true
    }

    /// Several nodes whose patterns rank equal so far, such as `:a(int)` and `:b(slug)` for the segment `1`: kind by kind
    /// over all of them, not node by node, since a literal below any of them beats a type below each.
    private mutating func visit(_ group: Range<Int>, depth: Int, _ body: (Int) -> Bool) -> Bool {
        visits += group.count
        if depth == segments.count { return report(group, areCatchAlls: false, body) }
        let place = segments[depth]
        let base = count

        for index in group where trie.nodes[Int(stack[index])].hasLiterals {
            push(trie.literalChild(of: stack[index], segment: place, in: bytes))
        }
        if !descend(from: base, depth: depth, body) { return false }

        for index in group { pushTyped(stack[index], place) }
        if !descend(from: base, depth: depth, body) { return false }

        for index in group { push(trie.nodes[Int(stack[index])].plain) }
        if !descend(from: base, depth: depth, body) { return false }

        return report(group, areCatchAlls: true, body)
    }

    /// Pushes the typed children of a node that take a segment: those of lists by one look into the hash table, and the
    /// others, four at most, one by one.
    private mutating func pushTyped(_ index: Int32, _ place: LinkText.Segment) {
        let node = trie.nodes + Int(index)
        if node.pointee.hasLists {
            let word = trie.literalChild(of: ~index, segment: place, in: bytes)
            if word >= 0 {
                for child in trie.wordChildren[Int(word)] { push(trie.children[Int(child)]) }
            }
        }
        guard !node.pointee.typed.isEmpty else { return }
        let segment = UnsafeBufferPointer(rebasing: bytes[Int(place.start)..<Int(place.end)])
        for edge in node.pointee.typed where trie.typedEdges[Int(edge)].type.accepts(segment) {
            push(trie.typedEdges[Int(edge)].child)
        }
    }

    private mutating func push(_ node: Int32) {
        guard node >= 0 else { return }
        // Holds by the computation of the worst link; it is checked because a write beyond would corrupt memory.
        precondition(count < stack.count)
        stack.initializeElement(at: count, to: node)
        count += 1
    }

    /// Visits what was pushed from a place of the stack on, and takes it off again: the place is the group's that comes
    /// next.
    private mutating func descend(from base: Int, depth: Int, _ body: (Int) -> Bool) -> Bool {
        guard count > base else { return true }
        let isGoingOn =
            count == base + 1
            ? visit(node: stack[base], depth: depth + 1, body) : visit(base..<count, depth: depth + 1, body)
        count = base
        return isGoingOn
    }

    /// Reports the routes of a group. The nodes rank equal, so their routes are ordered together by what is left to rank
    /// by: required query items.
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
