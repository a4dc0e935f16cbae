/// A value that depends on the situation: alternatives, of which the first whose condition holds is the value.
public final class VariedValue: Sendable, Hashable {
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

    /// The name of the value in messages.
    var description: String { isPerLocale ? "perLocale{…}" : "vary{…}" }

    /// Two values are equal if they are the same object.
    public static func == (left: VariedValue, right: VariedValue) -> Bool { left === right }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ConfigurationValue {
    /// Whether the value depends on the situation.
    package var isVaried: Bool { if case .varied = self { true } else { false } }
}

extension ConfigurationNode {
    /// Whether the value, or one inside it, depends on the situation.
    package var isVaried: Bool {
        contains(.lists, where: \.value.isVaried)
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
        case .varied(let varied):
            let chosen = varied.alternatives.first { holds($0.condition, path) }
            guard var node = chosen?.node?.resolved(at: path, by: holds) else { return nil }
            node.keyPosition = node.keyPosition ?? keyPosition
            return node
        default: return self
        }
        return resolved
    }
}
