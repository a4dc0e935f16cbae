/// The contents of a route table, in one object, so that passing on tables and matches costs one reference.
final class FrozenRoutes: Sendable {
    /// A path parameter and its segment.
    struct Capture: Sendable {
        let name: String
        let segment: Int
        var isCatchAll = false
        /// The lengths of the text beside the value.
        var prefix = 0
        var suffix = 0
    }

    let declarations: [RouteDeclaration]
    let patterns: [RoutePattern]
    /// The parameters of each route, so that a match needn't walk its pattern.
    let captures: [[Capture]]
    let trie: RouteTrie
    let worst: RouteWorstCase.Result
    /// The maximum number of nodes that a search holds at once.
    let capacity: Int

    init(
        _ declarations: [RouteDeclaration], _ patterns: [RoutePattern], _ trie: RouteTrie,
        _ worst: RouteWorstCase.Result
    ) {
        self.declarations = declarations
        self.patterns = patterns
        self.trie = trie
        capacity = worst.visits
        self.worst = worst
        captures = patterns.map { pattern in
            pattern.segments.enumerated().compactMap { index, segment in
                switch segment {
                case .literal: nil
                case .parameter(let name, _): Capture(name: name, segment: index)
                case .affixed(let parameter):
                    Capture(
                        name: parameter.name, segment: index, prefix: parameter.prefix.utf8.count,
                        suffix: parameter.suffix.utf8.count)
                case .catchAll(let name): Capture(name: name, segment: index, isCatchAll: true)
                }
            }
        }
    }
}
