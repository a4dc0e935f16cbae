/// What a route table is made of: one object, so that tables and matches are passed on at the cost of one reference.
final class FrozenRoutes: Sendable {
    /// A path parameter and the segment that holds it.
    struct Capture: Sendable {
        let name: String
        let segment: Int
        let isCatchAll: Bool
    }

    let declarations: [RouteDeclaration]
    let patterns: [RoutePattern]
    /// The parameters of each route, so that a match need not walk its pattern.
    let captures: [[Capture]]
    let trie: RouteTrie
    /// What `trie` holds, at hand.
    let view: RouteTrie.View
    let worst: RouteWorstCase.Result
    /// The most nodes that a search holds at once.
    let capacity: Int

    init(
        _ declarations: [RouteDeclaration], _ patterns: [RoutePattern], _ trie: RouteTrie,
        _ worst: RouteWorstCase.Result
    ) {
        self.declarations = declarations
        self.patterns = patterns
        self.trie = trie
        view = trie.view
        capacity = worst.visits
        self.worst = worst
        captures = patterns.map { pattern in
            pattern.segments.enumerated().compactMap { index, segment in
                switch segment {
                case .literal: nil
                case .parameter(let name, _): Capture(name: name, segment: index, isCatchAll: false)
                case .catchAll(let name): Capture(name: name, segment: index, isCatchAll: true)
                }
            }
        }
    }
}
