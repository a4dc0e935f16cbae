/// The trie of a table while it grows.
struct RouteTrieBuilder {
    struct Node {
        var literals: [(bytes: [UInt8], child: Int)] = []
        var typed: [(type: ParameterType, child: Int)] = []
        var plain: Int?
        /// The routes that end here.
        var ends: [Int] = []
        /// The routes whose catch-all starts here.
        var catchAlls: [Int] = []
        /// The first route that runs through here, to name it when the table is too costly.
        var route = 0
    }

    private struct LiteralKey: Hashable {
        let parent: Int
        let bytes: [UInt8]
    }

    private(set) var nodes = [Node()]
    private var literalChildren: [LiteralKey: Int] = [:]

    init(_ patterns: [(ordinal: Int, pattern: RoutePattern)]) {
        for (ordinal, pattern) in patterns {
            for segments in pattern.variants { insert(segments, route: ordinal) }
        }
    }

    private mutating func insert(_ segments: ArraySlice<RoutePattern.Segment>, route: Int) {
        var node = 0
        for segment in segments {
            switch segment {
            case .literal(let text):
                let bytes = text.utf8.asciiFolded
                let key = LiteralKey(parent: node, bytes: bytes)
                if let child = literalChildren[key] {
                    node = child
                } else {
                    let child = newNode(route)
                    nodes[node].literals.append((bytes, child))
                    literalChildren[key] = child
                    node = child
                }
            case .parameter(_, let type?):
                let type = type.canonical
                if let edge = nodes[node].typed.first(where: { $0.type == type }) {
                    node = edge.child
                } else {
                    let child = newNode(route)
                    nodes[node].typed.append((type, child))
                    node = child
                }
            case .parameter(_, nil):
                if let child = nodes[node].plain {
                    node = child
                } else {
                    let child = newNode(route)
                    nodes[node].plain = child
                    node = child
                }
            case .catchAll:
                nodes[node].catchAlls.append(route)
                return
            }
        }
        nodes[node].ends.append(route)
    }

    private mutating func newNode(_ route: Int) -> Int {
        nodes.append(Node())
        nodes[nodes.count - 1].route = route
        return nodes.count - 1
    }
}
