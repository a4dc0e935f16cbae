import GlassBase

/// A trie under construction.
struct RouteTrieBuilder {
    struct Node {
        /// Texts and lists are numbers in the vocabulary.
        var literals: [(text: Int, child: Int)] = []
        /// The affixes of segments with a value between them. The child has the values. It belongs to the same segment, so
        /// it has only lists, open types and a plain child.
        var affixes: [(affixes: Int, child: Int)] = []
        var lists: [(list: Int, child: Int)] = []
        var open: [(type: NamedParameterType, child: Int)] = []
        var plain: Int?
        /// The routes that end here.
        var ends: [Int] = []
        /// The routes whose catch-all starts here.
        var catchAlls: [Int] = []
        /// The first route through the node, to name it if the table is too expensive.
        var route = 0
    }

    private struct Edge: Hashable {
        enum Kind {
            case literal, list, affixes
        }

        let parent: Int
        /// The number of a text, a list or affixes.
        let label: Int
        let kind: Kind
    }

    let vocabulary: RouteVocabulary
    private(set) var nodes = [Node()]
    /// The edges with a text, a list or affixes, and the child of each.
    private var edges = InternTable<Edge>()
    private var children: [Int] = []

    init(_ forms: [RouteVocabulary.Form], _ vocabulary: RouteVocabulary) {
        self.vocabulary = vocabulary
        for form in forms {
            for places in form.variants { insert(places, route: form.ordinal) }
        }
        // Needed only during construction.
        edges = InternTable()
        children = []
    }

    private mutating func insert(_ places: ArraySlice<RouteVocabulary.Place>, route: Int) {
        var node = 0
        for place in places {
            switch place {
            case .literal(let text): node = child(of: node, .literal, text, route)
            case .list(let list): node = child(of: node, .list, list, route)
            case .open(let type): node = child(of: node, type, route)
            case .plain: node = plainChild(of: node, route)
            case .affixed(let number):
                let affixed = vocabulary.affixed[number]
                let values = child(of: node, .affixes, affixed.affixes, route)
                switch affixed.value {
                case .list(let list): node = child(of: values, .list, list, route)
                case .open(let type): node = child(of: values, type, route)
                case nil: node = plainChild(of: values, route)
                }
            case .catchAll:
                nodes[node].catchAlls.append(route)
                return
            }
        }
        nodes[node].ends.append(route)
    }

    private mutating func child(of node: Int, _ kind: Edge.Kind, _ label: Int, _ route: Int) -> Int {
        let (isNew, edge) = edges.insert(Edge(parent: node, label: label, kind: kind))
        if isNew {
            let child = newNode(route)
            children.append(child)
            switch kind {
            case .literal: nodes[node].literals.append((label, child))
            case .list: nodes[node].lists.append((label, child))
            case .affixes: nodes[node].affixes.append((label, child))
            }
        }
        return children[edge]
    }

    private mutating func child(of node: Int, _ type: NamedParameterType, _ route: Int) -> Int {
        if let edge = nodes[node].open.first(where: { $0.type == type }) { return edge.child }
        let child = newNode(route)
        nodes[node].open.append((type, child))
        return child
    }

    private mutating func plainChild(of node: Int, _ route: Int) -> Int {
        if let child = nodes[node].plain { return child }
        let child = newNode(route)
        nodes[node].plain = child
        return child
    }

    private mutating func newNode(_ route: Int) -> Int {
        nodes.append(Node())
        nodes[nodes.count - 1].route = route
        return nodes.count - 1
    }
}
