import GlassBase

/// A trie under construction.
struct RouteTrieBuilder {
    struct Node {
        /// Texts and lists are numbers in the vocabulary.
        var literals: [(text: Int, child: Int)] = []
        var lists: [(list: Int, child: Int)] = []
        var open: [(type: RouteVocabulary.OpenType, child: Int)] = []
        var plain: Int?
        /// The routes that end here.
        var ends: [Int] = []
        /// The routes whose catch-all starts here.
        var catchAlls: [Int] = []
        /// The first route through the node, to name it if the table is too expensive.
        var route = 0
    }

    private struct Edge: Hashable {
        let parent: Int
        /// The number of a text, or of a list.
        let label: Int
        let isList: Bool
    }

    let vocabulary: RouteVocabulary
    private(set) var nodes = [Node()]
    /// The edges with a text or a list, and the child of each.
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
            case .literal(let text):
                let (isNew, edge) = edges.insert(Edge(parent: node, label: text, isList: false))
                if isNew {
                    children.append(newNode(route))
                    nodes[node].literals.append((text, children[edge]))
                }
                node = children[edge]
            case .list(let list):
                let (isNew, edge) = edges.insert(Edge(parent: node, label: list, isList: true))
                if isNew {
                    children.append(newNode(route))
                    nodes[node].lists.append((list, children[edge]))
                }
                node = children[edge]
            case .open(let type):
                if let edge = nodes[node].open.first(where: { $0.type == type }) {
                    node = edge.child
                } else {
                    let child = newNode(route)
                    nodes[node].open.append((type, child))
                    node = child
                }
            case .plain:
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
