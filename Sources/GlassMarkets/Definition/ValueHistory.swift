package import GlassBase
package import GlassSchema

/// The history of a value in the files of an `extends` chain: which of them added each element of a list, and where one
/// removed a key.
package struct ValueHistory: Sendable {
    /// An element of a list.
    package struct Element: Sendable {
        /// The element.
        package let value: ConfigurationValue
        /// The position; nil for an element of a default.
        package let position: SourcePosition?
        /// The directive that added it; nil for a list that was written as a whole.
        package let directive: String?
    }

    /// An element that was removed from a list.
    package struct Removal: Sendable {
        /// The element.
        package let value: ConfigurationValue
        /// The position at which it was written.
        package let position: SourcePosition?
        /// The position at which `remove` names it.
        package let removed: SourcePosition?
    }

    /// The elements, for a list.
    package private(set) var elements: [Element] = []
    /// The elements that `remove` removed from the list.
    package private(set) var removals: [Removal] = []
    /// The position at which `unset` removed the key, or what contains it; nil for a key that exists.
    package private(set) var dropped: SourcePosition?
    /// The values that the key had before, nearest first.
    package private(set) var overridden: [ConfigurationNode.Layer] = []

    /// Follows a value through the files.
    init(
        of path: ConfigurationPath, in layers: [ConfigurationNode], budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        for layer in layers {
            try budget.spend(1 + path.elements.count, on: .explaining)
            if let removal = Self.removal(of: path, in: layer) {
                if !overridden.isEmpty { dropped = removal.position }
                (elements, removals) = ([], [])
                continue
            }
            guard let node = layer.node(at: path) else { continue }
            if dropped != nil { (dropped, overridden) = (nil, []) }
            overridden.insert(ConfigurationNode.Layer(value: node.value, position: node.position), at: 0)
            try budget.spend(elements.count + node.value.weight, on: .explaining)
            apply(node)
        }
        if dropped == nil { overridden = [] }
    }

    /// Creates the history of a list whose elements no file contains, or whose files are unknown.
    init(of list: ConfigurationNode) {
        if case .list(let nodes) = list.value { elements = Self.elements(nodes, directive: nil) }
    }

    /// Creates the history that a provenance map contains.
    init(directives: [String?], removals: [Removal], dropped: SourcePosition?, overridden: [ConfigurationNode.Layer]) {
        elements = directives.map { Element(value: .emptyTable, position: nil, directive: $0) }
        (self.removals, self.dropped, self.overridden) = (removals, dropped, overridden)
    }

    /// The history of a list in a provenance map, with the elements of the list.
    func placed(in list: ConfigurationNode) -> ValueHistory {
        var placed = self
        placed.elements = []
        guard case .list(let nodes) = list.value else { return placed }
        placed.elements = nodes.enumerated().map { offset, node in
            let directive = elements.indices.contains(offset) ? elements[offset].directive : nil
            return Element(value: node.value, position: node.position, directive: directive)
        }
        return placed
    }

    private mutating func apply(_ node: ConfigurationNode) {
        let kind: MergeDirective.Kind? = if case .directive(let directive) = node.value { directive.kind } else { nil }
        switch kind {
        case .append(let nodes): elements += Self.elements(nodes, directive: "append")
        case .prepend(let nodes): elements = Self.elements(nodes, directive: "prepend") + elements
        case .remove(let nodes):
            // Both lists may be long, so each is iterated over only once.
            let gone = Dictionary(nodes.map { ($0.value, $0.position) }) { first, _ in first }
            for element in elements {
                guard let removed = gone[element.value] else { continue }
                removals.append(Removal(value: element.value, position: element.position, removed: removed))
            }
            elements.removeAll { gone.keys.contains($0.value) }
        case .unset, .vary, nil:
            (elements, removals) = ([], [])
            if case .list(let nodes) = node.value { elements = Self.elements(nodes, directive: nil) }
        }
    }

    private static func elements(_ nodes: [ConfigurationNode], directive: String?) -> [Element] {
        nodes.map { Element(value: $0.value, position: $0.position, directive: directive) }
    }

    /// The position at which a file removes a key, or what contains it.
    static func removal(
        of path: ConfigurationPath, in layer: ConfigurationNode
    ) -> (path: ConfigurationPath, position: SourcePosition)? {
        for length in 1..<(path.elements.count + 1) {
            let outer = ConfigurationPath(Array(path.elements.prefix(length)))
            guard let node = layer.node(at: outer) else { return nil }
            if node.value.isUnset { return node.position.map { (outer, $0) } }
        }
        return nil
    }
}

extension Market {
    /// The history of a value in the market's files.
    package func history(
        of path: ConfigurationPath, value: ConfigurationNode?, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> ValueHistory {
        let isList = if case .list? = value?.value { true } else { false }
        if let value, isList { try budget.spend(2 * value.value.weight, on: .explaining) }
        if let known = origin.known[path.description] {
            return known.placed(in: source.node(at: path) ?? ConfigurationNode(.emptyTable))
        }
        let history = try ValueHistory(of: path, in: origin.layers, budget: budget)
        guard case .list(let nodes)? = value?.value, history.elements.map(\.value) != nodes.map(\.value) else {
            return history
        }
        return ValueHistory(of: source.node(at: path) ?? ConfigurationNode(.list(nodes)))
    }

    /// The keys that a file of the market removes with `unset`.
    package var droppedPaths: [ConfigurationPath] { origin.removed(from: source).map(\.path) }
}
