/// A value that depends on the situation: alternatives, of which the first whose condition holds is the value.
package final class VariedValue: Sendable {
    /// A value and the situations in which it may be the value.
    package struct Alternative: Sendable {
        /// The condition under which it is the value, unless an alternative before it is.
        package let condition: Condition
        /// The situations in which the condition holds; empty until a proof needs them.
        package let boxes: [ConditionBox]
        /// The value; nil if the key is absent.
        package let node: ConfigurationNode?
        /// The position of the condition; nil for a value that needs none.
        package let position: SourcePosition?

        /// Creates an alternative.
        package init(
            _ condition: Condition, boxes: [ConditionBox] = [], _ node: ConfigurationNode?,
            position: SourcePosition? = nil
        ) {
            self.condition = condition
            self.boxes = boxes
            self.node = node
            self.position = position
        }
    }

    /// The alternatives, strongest first. If none holds, the key is absent.
    package let alternatives: [Alternative]
    /// Whether a file wrote it as `perLocale`.
    package let isPerLocale: Bool

    /// Creates a value.
    package init(_ alternatives: [Alternative], isPerLocale: Bool = false) {
        self.alternatives = alternatives
        self.isPerLocale = isPerLocale
    }

    /// The alternatives with their values in another form.
    package func mapping(_ transform: (ConfigurationNode) -> ConfigurationNode) -> VariedValue {
        VariedValue(
            alternatives.map {
                Alternative($0.condition, boxes: $0.boxes, $0.node.map(transform), position: $0.position)
            }, isPerLocale: isPerLocale)
    }

    /// The value as one of a configuration that is not resolved yet.
    package var configurationValue: ConfigurationValue {
        .opaque(OpaqueValue(kind: isPerLocale ? "perLocale{…}" : "vary{…}", payload: self))
    }
}

extension ConfigurationValue {
    /// The alternatives, if the value depends on the situation.
    package var varied: VariedValue? {
        guard case .opaque(let opaque) = self else { return nil }
        return opaque.payload as? VariedValue
    }
}

extension ConfigurationNode {
    /// Whether the value, or one inside it, depends on the situation.
    package var isVaried: Bool {
        switch value {
        case .map(let entries): entries.values.contains(where: \.isVaried)
        case .list(let nodes): nodes.contains(where: \.isVaried)
        default: value.varied != nil
        }
    }

    /// The value in a situation: each varied value is replaced by the alternative that holds.
    ///
    /// - Parameter holds: Whether a condition holds in the situation, for the key at a path.
    /// - Returns: The value; nil if no alternative holds.
    package func resolved(
        at path: ConfigurationPath = ConfigurationPath(), by holds: (Condition, ConfigurationPath) -> Bool
    ) -> ConfigurationNode? {
        // A large table of plain values is not built again.
        guard isVaried else { return self }
        var resolved = self
        switch value {
        case .map(let entries):
            var kept: [String: ConfigurationNode] = [:]
            for (key, entry) in entries {
                if let node = entry.resolved(at: path.appending(key), by: holds) { kept[key] = node }
            }
            resolved.value = .map(kept)
        case .list(let nodes):
            resolved.value = .list(
                nodes.enumerated().compactMap { $1.resolved(at: path.appending(index: $0 + 1), by: holds) })
        default:
            guard let varied = value.varied else { return self }
            let chosen = varied.alternatives.first { holds($0.condition, path) }
            guard var node = chosen?.node?.resolved(at: path, by: holds) else { return nil }
            node.keyPosition = node.keyPosition ?? keyPosition
            return node
        }
        return resolved
    }
}
