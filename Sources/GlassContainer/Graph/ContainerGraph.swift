import GlassBase

/// The dependency graph that a container recorded: its services, and which of them resolved which.
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
        /// The position of the registration or the property.
        package let site: RegistrationSite
        /// The service whose factory resolved it when it was first built; nil if no factory did, or if it wasn't built.
        package let creator: ServiceID?
        /// The duration of its factory's last run, including everything that it resolved; nil if it hasn't run.
        package let buildTime: Duration?
        /// The number of recorded runs of its factory; for a unique service, only the first is recorded.
        package let builds: Int
        /// The number of times a cached instance was returned while `ContainerManager.countsHits` was true, or on the
        /// slow path.
        package let hits: Int
        /// Whether an instance is currently cached.
        package let isKept: Bool
    }

    /// The services, in order of first use, this container's before its parents'.
    package let nodes: [Node]
    /// The dependencies between the services.
    package let edges: [RecordedEdge]

    /// The graph in Graphviz format, with invisible characters of names escaped.
    public var dot: String {
        let numbers = self.numbers
        let nodes = nodes.map { "  n\(numbers[$0.id] ?? 0) [label=\"\("\($0.id)".dotText)\\n\($0.scope.dotText)\"];" }
        let edges = edges.compactMap { edge -> String? in
            guard let from = numbers[edge.from], let to = numbers[edge.to] else { return nil }
            return "  n\(from) -> n\(to);"
        }
        return (["digraph services {"] + nodes + edges + ["}"]).joined(separator: "\n")
    }

    /// The graph in Mermaid format, with invisible characters of names escaped.
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
    /// The dependency graph that this container and its parents recorded. Complexity: O(*n*) for *n* services.
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
    /// The dependency graph that this container recorded, without its parents.
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
    /// The text, escaped for a Graphviz label in double quotes. A backslash begins an escape of the label, such as `\N`
    /// for the node's name.
    fileprivate var dotText: String {
        // By scalars: to Swift, a quote with a combining accent is a different character, but to Graphviz it's still a
        // quote.
        DisplayText(self).plain.unicodeScalars.reduce(into: "") { text, scalar in
            if scalar == "\"" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
    }

    /// The text, escaped for a Mermaid label in double quotes, in which entities begin with `#`. A label is both
    /// Markdown and HTML, and two percent signs begin a directive anywhere.
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
