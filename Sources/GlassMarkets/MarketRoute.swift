import GlassDeepLinking
public import GlassSchema

/// A route of a market, for listings.
public struct MarketRoute: Sendable, Equatable {
    /// The pattern.
    public let pattern: String
    /// The id of the routable that it opens.
    public let routable: String
    /// What its links wait for: `all`, `nothing`, or names.
    public let waitsFor: String
    /// Where the market declares it; nil for a standard path.
    public let origin: SourcePosition?
}

extension Market {
    /// The routes of the market, by routable and then in the order of declaration.
    public var routes: [MarketRoute] {
        deepLinker.routables.sorted { $0.id < $1.id }.flatMap { routable in
            let settings = definition.routables[routable.id]
            let standard = schema.routables[routable.id]?.feature.paths.count ?? 0
            return routable.actionRoutes.enumerated().map { index, pattern in
                MarketRoute(
                    pattern: pattern, routable: routable.id, waitsFor: routable.requiredPreconditions.listed,
                    origin: settings?.path(of: routable.id, index: index, standard: standard).flatMap {
                        source.node(at: $0)?.position
                    })
            }
        }
    }
}

extension PreconditionRequirement {
    fileprivate var listed: String {
        switch self {
        case .all: "all"
        case .none: "nothing"
        case .named(let names): names.joined(separator: ", ")
        }
    }
}

extension RoutableDefinition {
    /// Where a market writes one of a routable's patterns.
    ///
    /// - Parameters:
    ///   - id: The routable.
    ///   - index: Which of its patterns, from 0: those of `paths` or the standard ones, then those of `customPaths`.
    ///   - standard: How many standard ones it has.
    /// - Returns: The path of the pattern, or nil for a standard one.
    func path(of id: String, index: Int, standard: Int) -> ConfigurationPath? {
        guard case .on(let settings) = self else { return nil }
        let routable = ConfigurationPath([.key("routables"), .key(id)])
        let replaced = settings.paths?.count
        let own = replaced ?? standard
        if index >= own { return routable.appending("customPaths").appending(index: index - own + 1) }
        return replaced == nil ? nil : routable.appending("paths").appending(index: index + 1)
    }
}
