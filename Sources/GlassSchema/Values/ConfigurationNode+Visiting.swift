/// What a visit of a tree enters, besides tables with keys.
package struct VisitedParts: OptionSet, Sendable {
    package let rawValue: Int

    /// The elements of lists.
    package static let lists = VisitedParts(rawValue: 1)
    /// The values in directives: elements that are added or removed, and values that depend on conditions that have not
    /// been read yet.
    package static let directives = VisitedParts(rawValue: 2)
    /// The alternatives of varied values.
    package static let alternatives = VisitedParts(rawValue: 4)

    /// Creates a set of parts.
    package init(rawValue: Int) { self.rawValue = rawValue }
}

/// A node of a tree, as a visit meets it.
package struct VisitedNode {
    /// The node.
    package let node: ConfigurationNode
    /// Its path. An alternative has the path of its key. An element that a directive adds or removes has an index, counted
    /// within the directive.
    package let path: ConfigurationPath
    /// The conditions of the alternatives around it, outermost first.
    package let conditions: [Condition]
}

extension ConfigurationNode {
    /// Calls a closure with this node and the nodes inside it, outer ones first.
    ///
    /// - Parameters:
    ///   - parts: What is entered, besides tables with keys.
    ///   - isOrdered: Whether the keys of a table are visited in byte order. Without an order, they are not sorted.
    ///   - path: The path of this node.
    ///   - body: Returns whether to visit what is inside the node.
    package func visit<Failure: Error>(
        _ parts: VisitedParts, inOrder isOrdered: Bool = true, at path: ConfigurationPath = ConfigurationPath(),
        _ body: (VisitedNode) throws(Failure) -> Bool
    ) throws(Failure) {
        var path = path
        try visit(parts, isOrdered, &path, [], body)
    }

    private func visit<Failure: Error>(
        _ parts: VisitedParts, _ isOrdered: Bool, _ path: inout ConfigurationPath, _ conditions: [Condition],
        _ body: (VisitedNode) throws(Failure) -> Bool
    ) throws(Failure) {
        guard try body(VisitedNode(node: self, path: path, conditions: conditions)) else { return }
        func visit(
            _ node: ConfigurationNode, _ element: ConfigurationPath.Element, _ path: inout ConfigurationPath
        ) throws(Failure) {
            path.elements.append(element)
            defer { path.elements.removeLast() }
            try node.visit(parts, isOrdered, &path, conditions, body)
        }
        func visit(elements: [ConfigurationNode], _ path: inout ConfigurationPath) throws(Failure) {
            for (offset, node) in elements.enumerated() { try visit(node, .index(offset + 1), &path) }
        }
        switch value {
        case .map(let entries) where isOrdered:
            for (key, node) in entries.inOrder { try visit(node, .key(key), &path) }
        case .map(let entries): for (key, node) in entries { try visit(node, .key(key), &path) }
        case .list(let nodes) where parts.contains(.lists): try visit(elements: nodes, &path)
        case .directive(let directive) where parts.contains(.directives):
            switch directive.kind {
            case .append(let nodes), .prepend(let nodes), .remove(let nodes): try visit(elements: nodes, &path)
            case .vary(let choices, _):
                for choice in choices { try choice.value.visit(parts, isOrdered, &path, conditions, body) }
            case .unset: break
            }
        case .varied(let varied) where parts.contains(.alternatives):
            for alternative in varied.alternatives {
                let inner = conditions + [alternative.condition]
                try alternative.node?.visit(parts, isOrdered, &path, inner, body)
            }
        default: break
        }
    }

    /// Whether this node or one inside it has a property. Stops at the first one.
    package func contains(_ parts: VisitedParts, where hasProperty: (ConfigurationNode) -> Bool) -> Bool {
        if hasProperty(self) { return true }
        switch value {
        case .map(let entries): return entries.values.contains { $0.contains(parts, where: hasProperty) }
        case .list(let nodes) where parts.contains(.lists):
            return nodes.contains { $0.contains(parts, where: hasProperty) }
        case .directive(let directive) where parts.contains(.directives):
            return directive.contents.contains { $0.contains(parts, where: hasProperty) }
        case .varied(let varied) where parts.contains(.alternatives):
            return varied.alternatives.contains { $0.node?.contains(parts, where: hasProperty) == true }
        default: return false
        }
    }
}
