import GlassBase
package import GlassMarkets
package import GlassSchema

extension MarketCheck {
    /// A warning that names the keys that the market should decide and inherits: what money is, how people are addressed,
    /// whose app it is and what its programs share, as the keys' declarations say. None where its own file writes them
    /// all, also with the same values or `unset`. None for a market that has errors or extends nothing.
    package var undecided: [Finding] {
        guard let market, let base = market.definition.extends, let own = market.origin.layers.last else { return [] }
        let names = market.schema.declaration.identifyingKeys.filter { path, identity in
            // Who signs an app is asked only of a market that names an app of its own.
            let section = ConfigurationPath(Array(path.elements.dropLast()))
            guard identity != .certificates || own.node(at: section) != nil else { return false }
            return own.node(at: path) == nil && market.source.node(at: path) != nil
                && market.origin.layers.dropLast().contains { $0.node(at: path) != nil }
        }.map(\.path.description)
        guard let last = names.last else { return [] }
        let isOne = names.count == 1
        let listed = isOne ? last : names.dropLast().joined(separator: ", ") + " and \(last)"
        let finding = Finding(
            .undecided, severity: .warning, at: own.node(at: "extends")?.position, path: "extends",
            subject: "\(base) \(names.joined(separator: " "))",
            "\(listed) \(isOne ? "is" : "are") inherited from \(base.quotedForMessage)",
            hint: "write \(isOne ? "it" : "each") out, even with the same value, to decide")
        return [finding].withLines(of: market.origin.files)
            .withPlaces(in: market.origin.files, budget: .unlimited)
    }
}
