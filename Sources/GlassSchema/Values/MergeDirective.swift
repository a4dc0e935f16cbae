/// A directive in a market file: it changes the value inherited from the base market, or gives alternatives that depend
/// on the situation.
public final class MergeDirective: Sendable, Hashable {
    package enum Kind: Sendable {
        /// The list of the base market, followed by these elements.
        case append([ConfigurationNode])
        /// These elements, followed by the list of the base market.
        case prepend([ConfigurationNode])
        /// The list of the base market without these elements.
        case remove([ConfigurationNode])
        /// Removes the key of the base market.
        case unset
        /// Alternatives, of which the first whose condition holds is the value.
        case vary([Choice], isPerLocale: Bool)
    }

    /// An alternative of `vary` or `perLocale` as a file writes it.
    package struct Choice: Sendable {
        /// The condition; nil for the default.
        package let when: ConfigurationNode?
        /// The value.
        package let value: ConfigurationNode

        package init(when: ConfigurationNode?, value: ConfigurationNode) {
            self.when = when
            self.value = value
        }
    }

    package let kind: Kind

    package init(_ kind: Kind) {
        self.kind = kind
    }

    /// The name of the directive in messages.
    package var description: String {
        switch kind {
        case .append: "append{…}"
        case .prepend: "prepend{…}"
        case .remove: "remove{…}"
        case .unset: "unset"
        case .vary(_, let isPerLocale): isPerLocale ? "perLocale{…}" : "vary{…}"
        }
    }

    /// The directive with its values in another form.
    package func mapping(_ transform: (ConfigurationNode) -> ConfigurationNode) -> MergeDirective {
        switch kind {
        case .append(let nodes): MergeDirective(.append(nodes.map(transform)))
        case .prepend(let nodes): MergeDirective(.prepend(nodes.map(transform)))
        case .remove(let nodes): MergeDirective(.remove(nodes.map(transform)))
        case .unset: self
        case .vary(let choices, let isPerLocale):
            MergeDirective(
                .vary(
                    choices.map { Choice(when: $0.when.map(transform), value: transform($0.value)) },
                    isPerLocale: isPerLocale))
        }
    }

    /// The values that the directive contains.
    package var contents: [ConfigurationNode] {
        switch kind {
        case .append(let nodes), .prepend(let nodes), .remove(let nodes): nodes
        case .unset: []
        case .vary(let choices, _): choices.map(\.value)
        }
    }

    /// Two directives are equal if they are the same object.
    public static func == (left: MergeDirective, right: MergeDirective) -> Bool { left === right }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ConfigurationValue {
    /// Whether the value removes the key.
    package var isUnset: Bool {
        guard case .directive(let directive) = self, case .unset = directive.kind else { return false }
        return true
    }

    /// Whether the value is a directive.
    package var isDirective: Bool { if case .directive = self { true } else { false } }
}
