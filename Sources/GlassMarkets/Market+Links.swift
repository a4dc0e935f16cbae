package import GlassBase
public import GlassDeepLinking

extension Market {
    /// Explains how a link is routed, without opening it.
    ///
    /// - Parameters:
    ///   - link: The link's text.
    ///   - others: Other markets that may handle the link.
    /// - Returns: The decision of the gate, each candidate with the reason why it lost, near misses, and the other
    ///   market that would handle the link.
    public func explain(_ link: String, others: [Market]) -> LinkExplanation {
        deepLinker.explain(link, others: others.map { ($0.id, $0.deepLinker) })
    }

    /// Builds a link to a routable.
    ///
    /// - Parameters:
    ///   - routable: The routable's id.
    ///   - parameters: The values of the pattern's parameters and required query items.
    ///   - isUniversal: Whether the link is an https link; otherwise it has the market's first scheme.
    /// - Returns: A link that this market routes to the routable.
    /// - Throws: `LinkBuildingError` if no pattern accepts the parameters, or the market has no such scheme or host.
    public func link(
        to routable: String, parameters: [String: String] = [:], isUniversal: Bool = false
    ) throws(LinkBuildingError) -> String {
        let form = try form(isUniversal: isUniversal)
        return try deepLinker.table.link(to: routable, parameters: parameters, form: form)
    }

    /// Builds a link to a routable within a budget.
    package func link(to routable: String, parameters: [String: String], budget: WorkBudget) throws -> String {
        try deepLinker.table.link(
            to: routable, parameters: parameters, form: form(isUniversal: false), budget: budget)
    }

    /// A link to a routable, as an example.
    package func sampleLink(to routable: String) -> String? {
        guard let path = deepLinker.table.sampleLink(to: routable) else { return nil }
        if let scheme = definition.deepLinking.schemes.first { return "\(scheme)://\(path)" }
        return definition.deepLinking.universalLinks.firstHostWithoutWildcard.map { "https://\($0)/\(path)" }
    }

    private func form(isUniversal: Bool) throws(LinkBuildingError) -> LinkPrefix {
        if isUniversal {
            guard let host = definition.deepLinking.universalLinks.firstHostWithoutWildcard else {
                throw .noSchemeOrHost
            }
            return .universal(host: host)
        }
        guard let scheme = definition.deepLinking.schemes.first else { throw .noSchemeOrHost }
        return .scheme(scheme)
    }

    /// Translates a link of this market to the link of another market that has the same effect.
    ///
    /// - Parameters:
    ///   - link: A link of this market.
    ///   - other: The other market.
    /// - Returns: The other market's link, with the same kind of prefix: a scheme or a universal link host.
    /// - Throws: `LinkBuildingError` if this market does not route the link, or the other market does not have the
    ///   routable.
    public func translate(_ link: String, to other: Market) throws(LinkBuildingError) -> String {
        try deepLinker.translate(link, to: other.deepLinker)
    }

    /// Translates a link of this market to the link of another market that has the same effect, within a budget.
    package func translate(_ link: String, to other: Market, budget: WorkBudget) throws -> String {
        try deepLinker.translate(link, to: other.deepLinker, budget: budget)
    }
}
