package import GlassBase
import GlassDeepLinking
package import GlassSchema

/// A route of a market, for listings.
package struct MarketRoute: Sendable, Equatable {
    /// The pattern.
    package let pattern: String
    /// The id of the routable that it opens.
    package let routable: String
    /// The preconditions that its links wait for: `all`, `nothing`, or names.
    package let waitsFor: String
    /// The position at which the market declares it; nil for a standard path.
    package let origin: SourcePosition?
}

extension Market {
    /// The routes of the market, by routable and then in the order of declaration.
    package var routes: [MarketRoute] {
        do {
            return try routes(budget: .unlimited)
        } catch {
            preconditionFailure("a budget without limits ran out: \(error)")
        }
    }

    /// The routes of the market, within a budget.
    package func routes(budget: WorkBudget) throws(WorkBudget.Exceeded) -> [MarketRoute] {
        var routes: [MarketRoute] = []
        for routable in deepLinker.routables.sorted(by: { $0.id < $1.id }) {
            let settings = definition.routables[routable.id]
            let standard = schema.routables[routable.id]?.feature.paths.count ?? 0
            let waitsFor = routable.requiredPreconditions.listed
            for (index, pattern) in routable.actionRoutes.enumerated() {
                let bytes = pattern.utf8.count + routable.id.utf8.count + waitsFor.utf8.count
                try budget.spend(4 + bytes / 64, on: .listing)
                try budget.hold(bytes: bytes, for: .listing)
                let path = settings?.path(of: routable.id, index: index, standard: standard)
                routes.append(
                    MarketRoute(
                        pattern: pattern, routable: routable.id, waitsFor: waitsFor,
                        origin: path.flatMap { source.node(at: $0)?.position }))
            }
        }
        return routes
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
    /// The key path of one of a routable's patterns; nil for a standard one.
    func path(of id: String, index: Int, standard: Int) -> ConfigurationPath? {
        guard case .on(let settings) = self else { return nil }
        let routable = ConfigurationPath([.key("routables"), .key(id)])
        let replaced = settings.paths?.count
        let own = replaced ?? standard
        if index >= own { return routable.appending("customPaths").appending(index: index - own + 1) }
        return replaced == nil ? nil : routable.appending("paths").appending(index: index + 1)
    }
}
