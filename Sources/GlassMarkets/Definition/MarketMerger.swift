import GlassBase
import GlassSchema

/// Lays the market files of an `extends` chain over each other.
///
/// Maps merge key by key; a list or a scalar replaces; `append`, `remove` and `unset` say otherwise. Every value keeps
/// where it was written and what it replaced.
struct MarketMerger {
    private(set) var findings: [Finding] = []

    /// Merges a chain.
    ///
    /// - Parameter layers: The values of the files, the most basic one first; at least one.
    /// - Returns: The merged value without any word left in it.
    mutating func merge(_ layers: [ConfigurationNode]) -> ConfigurationNode {
        var merged = withoutWords(layers[0], ConfigurationPath())
        for layer in layers.dropFirst() {
            merged = merge(layer, over: merged, ConfigurationPath())
        }
        return merged
    }

    private mutating func merge(
        _ node: ConfigurationNode, over base: ConfigurationNode, _ path: ConfigurationPath
    ) -> ConfigurationNode {
        if let word = node.value.word { return apply(word, node, to: base, path) }
        var merged = node
        switch (node.value, base.value) {
        case (.map(let entries), .map(let inherited)):
            merged.value = .map(merge(entries, over: inherited, path))
            merged.overridden = base.overridden
        case (.emptyTable, .map):
            merged.value = base.value
            merged.overridden = base.overridden
        default:
            merged = withoutWords(node, path)
            merged.overridden =
                [ConfigurationNode.Layer(value: base.value, position: base.position)] + base.overridden
        }
        return merged
    }

    private mutating func merge(
        _ entries: [String: ConfigurationNode], over inherited: [String: ConfigurationNode], _ path: ConfigurationPath
    ) -> [String: ConfigurationNode] {
        var merged = inherited
        for (key, entry) in entries.inOrder {
            let inner = path.appending(key)
            if let word = entry.value.word, case .unset = word.kind {
                if merged.removeValue(forKey: key) == nil {
                    report(
                        entry, inner, "unset: no market that this one extends has this key",
                        Suggestion.nearest(to: key, in: inherited.keys).map { "did you mean \"\($0)\"?" })
                }
            } else if let base = inherited[key] {
                merged[key] = merge(entry, over: base, inner)
            } else {
                merged[key] = withoutWords(entry, inner)
            }
        }
        return merged
    }

    private mutating func apply(
        _ word: MarketWord, _ node: ConfigurationNode, to base: ConfigurationNode, _ path: ConfigurationPath
    ) -> ConfigurationNode {
        var result = base
        result.position = node.position
        result.keyPosition = node.keyPosition
        result.overridden = [ConfigurationNode.Layer(value: base.value, position: base.position)] + base.overridden
        let elements: [ConfigurationNode]
        switch base.value {
        case .list(let nodes): elements = nodes
        case .emptyTable: elements = []
        default:
            report(
                node, path,
                "\(word.description) needs a list in a market that this one extends, got \(base.value.found)",
                nil)
            return base
        }
        switch word.kind {
        case .append(let added):
            result.value = .list(elements + cleaned(added, path))
        case .remove(let removed):
            var left = elements
            for (offset, gone) in removed.enumerated() {
                let before = left.count
                left.removeAll { $0.value == gone.value }
                if left.count == before {
                    report(
                        gone, path.appending(index: offset + 1),
                        "remove: \(gone.value.found) is not in the list of the market that this one extends", nil)
                }
            }
            result.value = left.isEmpty ? .emptyTable : .list(left)
        case .unset:
            report(node, path, "unset belongs to a key of a table", nil)
        }
        return result
    }

    /// The same value with each word replaced by what it would leave of nothing, and a finding for it.
    private mutating func withoutWords(_ node: ConfigurationNode, _ path: ConfigurationPath) -> ConfigurationNode {
        var clean = node
        switch node.value {
        case .map(let entries):
            var left: [String: ConfigurationNode] = [:]
            for (key, entry) in entries.inOrder {
                let inner = path.appending(key)
                if let word = entry.value.word, case .unset = word.kind {
                    report(entry, inner, "unset: no market that this one extends has this key", nil)
                } else {
                    left[key] = withoutWords(entry, inner)
                }
            }
            clean.value = .map(left)
        case .list(let nodes):
            clean.value = .list(cleaned(nodes, path))
        default:
            guard let word = node.value.word else { return node }
            report(
                node, path, "\(word.description): no market that this one extends has this key",
                "write a plain list, or extend a market that has one")
            if case .append(let added) = word.kind {
                clean.value = .list(cleaned(added, path))
            } else {
                clean.value = .emptyTable
            }
        }
        return clean
    }

    private mutating func cleaned(_ nodes: [ConfigurationNode], _ path: ConfigurationPath) -> [ConfigurationNode] {
        var clean: [ConfigurationNode] = []
        for (offset, node) in nodes.enumerated() {
            clean.append(withoutWords(node, path.appending(index: offset + 1)))
        }
        return clean
    }

    private mutating func report(
        _ node: ConfigurationNode, _ path: ConfigurationPath, _ message: String, _ hint: String?
    ) {
        findings.append(Finding(.misplacedWord, at: node.position, path: path, message, hint: hint))
    }
}
