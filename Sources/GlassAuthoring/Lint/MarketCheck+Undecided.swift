import GlassBase
package import GlassMarkets
package import GlassSchema

extension MarketCheck {
    /// A warning that names the keys that are still to be decided: those that the market should set but inherits, and
    /// those whose value is in `undecided`.
    ///
    /// The declarations of keys determine which the market should set, such as the currency, the locales, the app's
    /// identity and what its programs share. Empty if the market's own file sets them all, even to the same values or
    /// to `unset`, or says that it means to inherit them. What an abstract base sets is meant to be inherited.
    ///
    /// - Parameter reported: Other findings about the market. An inherited value that contradicts the market's country has one
    ///   that says what to write.
    package func undecided(besides reported: [Finding] = []) -> [Finding] {
        guard let market = validValues, !isAbstract, let own = market.origin.own else { return [] }
        let decisions = market.origin.decisions
        let wrong = reported.lazy.filter { $0.code == .countryMismatch }.map(\.path.elements)
        let inherited = inheritedPaths(of: market, own)
            .filter { path in !wrong.contains { $0.starts(with: path.elements) } }.map(\.description)
        let examples = decisions.examples.map(\.path.description)
        var sentences: [String] = []
        if let base = market.origin.nearestMarket, !inherited.isEmpty {
            let verb = inherited.count == 1 ? "is" : "are"
            sentences.append("\(Self.listing(inherited)) \(verb) inherited from \(base.quotedForMessage)")
        }
        if !examples.isEmpty {
            sentences.append("\(Self.listing(examples)) \(examples.count == 1 ? "is" : "are") undecided")
        }
        guard !sentences.isEmpty else { return [] }
        let isInherited = !inherited.isEmpty
        let advice = [
            isInherited
                ? "set \(inherited.count == 1 ? "it" : "each") explicitly, even to the same value, or write inherit = true "
                    + "in \(inherited.count == 1 ? "its table" : "their tables")" : nil,
            examples.isEmpty ? nil : "replace each undecided example with the market's own value",
        ]
        let subject = isInherited ? "\(market.origin.nearestMarket ?? "") \(inherited.joined(separator: " "))" : ""
        let finding = Finding(
            .undecided, severity: .warning,
            at: isInherited ? own.node(at: "extends")?.position : decisions.examples.first?.position,
            path: isInherited ? "extends" : ConfigurationPath(),
            subject: ([subject] + examples).filter { !$0.isEmpty }.joined(separator: " "),
            sentences.joined(separator: "; "), hint: advice.compactMap(\.self).joined(separator: "; "))
        return [finding].withLines(of: market.origin.files).withPlacesAndFixes(
            in: market.origin.files, budget: .unlimited)
    }

    /// The keys that the market should set for itself but inherits.
    private func inheritedPaths(of market: ValidValues, _ own: ConfigurationNode) -> [ConfigurationPath] {
        market.schema.declaration.identifyingKeys.filter { path, identity in
            // Signing certificates concern only a market that configures an app of its own.
            let section = ConfigurationPath(Array(path.elements.dropLast()))
            guard identity != .certificates || own.node(at: section) != nil else { return false }
            return own.node(at: path) == nil && market.source.node(at: path) != nil
                && market.origin.market(setting: path).map { !market.origin.abstractBases.contains($0) } == true
                && !market.origin.decisions.inherits(path)
        }.map(\.path)
    }

    /// The names without a serial comma: accepted fingerprints of former releases contain the message as it is.
    private static func listing(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.joined() }
        return "\(names.dropLast().joined(separator: ", ")) and \(last)"
    }
}
