/// A directive in a market file: it changes the value inherited from the base market, or gives alternatives that depend
/// on the situation.
package final class MergeDirective: Sendable {
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

    /// The directive as a value of a configuration that has not been merged yet.
    package var configurationValue: ConfigurationValue {
        .opaque(OpaqueValue(kind: description, payload: self))
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

    /// The values that the directive contains.
    package var contents: [ConfigurationNode] {
        switch kind {
        case .append(let nodes), .prepend(let nodes), .remove(let nodes): nodes
        case .unset: []
        case .vary(let choices, _): choices.map(\.value)
        }
    }
}

extension ConfigurationValue {
    /// The directive, if this value is one.
    package var word: MergeDirective? {
        guard case .opaque(let opaque) = self else { return nil }
        return opaque.payload as? MergeDirective
    }
}
