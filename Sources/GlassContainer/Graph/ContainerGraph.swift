import GlassBase

/// What a container recorded while it resolved: its services, and which resolved which.
///
/// ```swift
/// print(container.graph.mermaid)
/// ```
public struct ContainerGraph: Sendable, Hashable {
    /// One service.
    package struct Node: Sendable, Hashable {
        /// The key of the service.
        package let id: ServiceID
        /// The name of the scope.
        package let scope: String
        /// Where the registration or the property stands.
        package let site: RegistrationSite
        /// Whose factory resolved it when it was built first; nil if it was no factory, or it was not built.
        package let creator: ServiceID?
        /// How long its factory ran last, with all it resolved in turn; nil if it did not.
        package let buildTime: Duration?
        /// How often its factory ran, as far as that was recorded: of a unique service, the first time only.
        package let builds: Int
        /// How often a kept instance was handed out while `ContainerManager.countsHits` was on, or by the longer way.
        package let hits: Int
        /// Whether an instance is kept right now.
        package let isKept: Bool
    }

    /// The services, in the order of first use, this container's before its parents'.
    package let nodes: [Node]
    /// Which services resolved which.
    package let edges: [RecordedEdge]

    /// The graph in the language of Graphviz, what cannot be seen in names written out.
    public var dot: String {
        let numbers = self.numbers
        let nodes = nodes.map { "  n\(numbers[$0.id] ?? 0) [label=\"\("\($0.id)".dotText)\\n\($0.scope.dotText)\"];" }
        let edges = edges.compactMap { edge -> String? in
            guard let from = numbers[edge.from], let to = numbers[edge.to] else { return nil }
            return "  n\(from) -> n\(to);"
        }
        return (["digraph services {"] + nodes + edges + ["}"]).joined(separator: "\n")
    }

    /// The graph in the language of Mermaid, what cannot be seen in names written out.
    public var mermaid: String {
        let numbers = self.numbers
        let nodes = nodes.map { node in
            "  n\(numbers[node.id] ?? 0)[\"\("\(node.id) · \(node.scope)".mermaidText)\"]"
        }
        let edges = edges.compactMap { edge -> String? in
            guard let from = numbers[edge.from], let to = numbers[edge.to] else { return nil }
            return "  n\(from) --> n\(to)"
        }
        return (["graph TD"] + nodes + edges).joined(separator: "\n")
    }

    /// The graph as one JSON object with sorted keys; times are in nanoseconds.
    public var json: String {
        let edges = edges.map { edge in
            "{\"from\":\(edge.from.description.jsonLiteral),\"to\":\(edge.to.description.jsonLiteral)}"
        }
        let nodes = nodes.map { node in
            let time = node.buildTime.map { "\($0 / .nanoseconds(1))" }.map { String($0.prefix { $0 != "." }) }
            return "{\"buildTime\":\(time ?? "null"),\"builds\":\(node.builds),"
                + "\"creator\":\(node.creator.map { $0.description.jsonLiteral } ?? "null"),\"hits\":\(node.hits),"
                + "\"isKept\":\(node.isKept),\"scope\":\(node.scope.jsonLiteral),\"service\":\(node.id.description.jsonLiteral),"
                + "\"site\":\(node.site.description.jsonLiteral)}"
        }
        return "{\"edges\":[\(edges.joined(separator: ","))],\"nodes\":[\(nodes.joined(separator: ","))],\"schema\":1}"
    }

    private var numbers: [ServiceID: Int] {
        Dictionary(nodes.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension Container {
    /// What this container and its parents recorded while they resolved. Complexity: O(*n*) for *n* services.
    public var graph: ContainerGraph {
        var seen: Set<ServiceID> = []
        var nodes: [ContainerGraph.Node] = []
        var next: Container? = self
        while let container = next {
            nodes += container.manager.graph.nodes.filter { seen.insert($0.id).inserted }
            next = container.parent
        }
        return ContainerGraph(nodes: nodes, edges: recordedEdges)
    }
}

extension ContainerManager {
    /// What this container recorded while it resolved, without its parents.
    public var graph: ContainerGraph {
        let kept = Dictionary(
            registrations(isInherited: false).map { ($0.id, $0.isResolved) }, uniquingKeysWith: { first, _ in first })
        var edges: [RecordedEdge] = []
        let nodes = store.inspect { entry -> ContainerGraph.Node? in
            guard let site = entry.site else { return nil }
            let record = entry.record
            edges += record.dependencies.map { RecordedEdge(from: entry.id, to: $0) }
            return ContainerGraph.Node(
                id: entry.id, scope: entry.scope(default: store.defaultScope).description, site: site,
                creator: record.creator, buildTime: record.duration, builds: record.builds, hits: record.hits,
                isKept: kept[entry.id] ?? false)
        }
        return ContainerGraph(nodes: nodes, edges: edges)
    }
}

extension String {
    /// The text for a label in double quotes. In those of Graphviz a backslash begins an escape of the label, such as
    /// `\N` for the name of the node.
    fileprivate var dotText: String {
        // By scalars: a quote before an accent is another character to Swift, and a quote to Graphviz.
        DisplayText(self).plain.unicodeScalars.reduce(into: "") { text, scalar in
            if scalar == "\"" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
    }

    /// The text for a label in double quotes, whose entities begin with `#`. A label is Markdown and HTML at once, and two
    /// percent signs begin a directive wherever they stand.
    fileprivate var mermaidText: String {
        DisplayText(self).plain.unicodeScalars.reduce(into: "") { text, scalar in
            if "\"#%&<>`*_\\".unicodeScalars.contains(scalar) {
                text += scalar == "\"" ? "#quot;" : "#\(scalar.value);"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
