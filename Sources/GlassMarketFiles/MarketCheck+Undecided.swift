import GlassBase
package import GlassMarkets
package import GlassSchema

extension MarketCheck {
    /// A warning that names the keys that the market should set but inherits. The declarations of keys determine which
    /// these are, such as the currency, the locales, the app's identity and what its programs share. Empty if the
    /// market's own file sets them all, even to the same values or to `unset`. Also empty for a market that has errors
    /// or extends nothing.
    package var undecided: [Finding] {
        guard let market, let base = market.definition.extends, let own = market.origin.own else { return [] }
        let names = market.schema.declaration.identifyingKeys.filter { path, identity in
            // Signing certificates concern only a market that configures an app of its own.
            let section = ConfigurationPath(Array(path.elements.dropLast()))
            guard identity != .certificates || own.node(at: section) != nil else { return false }
            return own.node(at: path) == nil && market.source.node(at: path) != nil
                && market.origin.baseLayers.contains { $0.node(at: path) != nil }
        }.map(\.path.description)
        guard let last = names.last else { return [] }
        let isOne = names.count == 1
        let listed = isOne ? last : names.dropLast().joined(separator: ", ") + " and \(last)"
        let finding = Finding(
            .undecided, severity: .warning, at: own.node(at: "extends")?.position, path: "extends",
            subject: "\(base) \(names.joined(separator: " "))",
            "\(listed) \(isOne ? "is" : "are") inherited from \(base.quotedForMessage)",
            hint: "set \(isOne ? "it" : "each") explicitly, even to the same value, to silence this warning")
        return [finding].withLines(of: market.origin.files)
            .withPlaces(in: market.origin.files, budget: .unlimited)
    }
}
