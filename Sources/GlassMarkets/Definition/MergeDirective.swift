package import GlassSchema

/// A directive in a market file that changes the value inherited from the base market.
package final class MergeDirective: Sendable {
    package enum Kind: Sendable {
        /// The list of the base market, followed by these elements.
        case append([ConfigurationNode])
        /// The list of the base market without these elements.
        case remove([ConfigurationNode])
        /// Removes the key of the base market.
        case unset
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
    var description: String {
        switch kind {
        case .append: "append{…}"
        case .remove: "remove{…}"
        case .unset: "unset"
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
