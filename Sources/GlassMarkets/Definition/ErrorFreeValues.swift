import GlassBase
import GlassSchema

/// The values of a market without those that have errors.
///
/// Keeps one invalid value from hiding other findings: the remaining routes are still compiled and compared. For
/// validation only; a market with errors is never built.
struct ErrorFreeValues {
    /// The remaining values.
    let root: ConfigurationNode
    /// The elements that were removed from each list, in order and counted from 1.
    private let dropped: [ConfigurationPath: [Int]]
    /// The paths with errors, and those above them.
    private let broken: Set<ConfigurationPath>

    /// All values of a market without errors.
    init(_ root: ConfigurationNode) {
        self.root = root
        (dropped, broken) = ([:], [])
    }

    /// Removes the values with errors from some keys of a market, and omits its other keys.
    init(
        of root: ConfigurationNode, keys names: [String], without failed: Set<ConfigurationPath>, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        var removal = Removal(failed: failed, budget: budget)
        var entries: [String: ConfigurationNode] = [:]
        for name in names {
            let path = ConfigurationPath([.key(name)])
            guard let node = root.node(at: path), !failed.contains(path) else { continue }
            entries[name] = try removal.rest(of: node, path)
        }
        self.root = ConfigurationNode(.map(entries), position: root.position, keyPosition: root.keyPosition)
        dropped = removal.dropped
        var broken = failed
        for path in failed {
            try budget.spend(path.elements.count, on: .validating)
            for end in path.elements.indices { broken.insert(ConfigurationPath(Array(path.elements[..<end]))) }
        }
        self.broken = broken
    }

    /// Whether there is an error at a path or below it.
    func isBroken(_ path: ConfigurationPath) -> Bool { broken.contains(path) }

    /// The path in the market of a value in ``root``: elements were counted before any was removed.
    func written(_ path: ConfigurationPath) -> ConfigurationPath {
        guard !dropped.isEmpty else { return path }
        var elements: [ConfigurationPath.Element] = []
        for element in path.elements {
            guard case .index(var index) = element, let gone = dropped[ConfigurationPath(elements)] else {
                elements.append(element)
                continue
            }
            for other in gone where other <= index { index += 1 }
            elements.append(.index(index))
        }
        return ConfigurationPath(elements)
    }

    private struct Removal {
        let failed: Set<ConfigurationPath>
        let budget: WorkBudget
        var dropped: [ConfigurationPath: [Int]] = [:]

        mutating func rest(
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
}
