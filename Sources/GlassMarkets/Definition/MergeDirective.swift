package import GlassSchema

/// A word of a market file that says what to do with the value of the market that it extends.
package final class MergeDirective: Sendable {
    package enum Kind: Sendable {
        /// The base's list, followed by these.
        case append([ConfigurationNode])
        /// The base's list without these.
        case remove([ConfigurationNode])
        /// Without the base's key.
        case unset
    }

    /// What it does.
    package let kind: Kind

    package init(_ kind: Kind) {
        self.kind = kind
    }

    /// The word as a value of a configuration that has not been merged yet.
    package var configurationValue: ConfigurationValue {
        .opaque(OpaqueValue(kind: description, payload: self))
    }

    /// How a diagnostic calls the word.
    var description: String {
        switch kind {
        case .append: "append{…}"
        case .remove: "remove{…}"
        case .unset: "unset"
        }
    }
}

extension ConfigurationValue {
    /// The word that this value is, if it is one.
    package var word: MergeDirective? {
        guard case .opaque(let opaque) = self else { return nil }
        return opaque.payload as? MergeDirective
    }
}
