package import GlassBase

/// Removes the values with errors from a tree, so that the others can be decoded: decoding traps on a value of the wrong
/// type.
package struct ErrorRemoval {
    private let failed: Set<ConfigurationPath>
    private let budget: WorkBudget
    /// The elements that were removed from each list, in order and counted from 1.
    package private(set) var dropped: [ConfigurationPath: [Int]] = [:]

    /// - Parameter failed: The paths of the values with errors.
    package init(failed: Set<ConfigurationPath>, budget: WorkBudget) {
        self.failed = failed
        self.budget = budget
    }

    /// The rest of a value at a path.
    package mutating func rest(
        of node: ConfigurationNode, _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> ConfigurationNode {
        try budget.spend(node.value.weight, on: .validating)
        var rest = node
        switch node.value {
        case .map(let entries):
            var kept: [String: ConfigurationNode] = [:]
            for (key, entry) in entries {
                let inner = path.appending(key)
                if !failed.contains(inner) { kept[key] = try self.rest(of: entry, inner) }
            }
            rest.value = kept.isEmpty ? .emptyTable : .map(kept)
        case .list(let nodes):
            var kept: [ConfigurationNode] = []
            for (offset, element) in nodes.enumerated() {
                let inner = path.appending(index: offset + 1)
                if failed.contains(inner) {
                    dropped[path, default: []].append(offset + 1)
                } else {
                    kept.append(try self.rest(of: element, inner))
                }
            }
            rest.value = kept.isEmpty ? .emptyTable : .list(kept)
        default: break
        }
        return rest
    }
}
