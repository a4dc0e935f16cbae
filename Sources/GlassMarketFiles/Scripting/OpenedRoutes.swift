package import GlassDeepLinking
package import GlassMarkets

/// The routes through which links were opened, by market.
package struct OpenedRoutes: Sendable, Equatable {
    /// A route of a market.
    package struct Route: Sendable, Hashable {
        /// The routable's id.
        package let routable: String
        package let pattern: String
    }

    private var routes: [String: Set<Route>] = [:]

    /// Creates an empty set.
    package init() {}

    /// Records a link that was routed. There are at most as many different ones as the market has routes.
    package mutating func insert(_ result: DispatchResult, of market: String) {
        // A market counts as used by a test even if none of its links was routed.
        var own = routes[market] ?? []
        if case .routed = result.outcome, let routable = result.routableID, let pattern = result.pattern {
            own.insert(Route(routable: routable, pattern: pattern))
        }
        routes[market] = own
    }

    /// Adds the routes of another run.
    package mutating func formUnion(_ other: OpenedRoutes) {
        routes.merge(other.routes) { $0.union($1) }
    }

    /// The coverage of a market.
    package func coverage(of market: Market) -> RouteCoverage {
        let own = routes[market.id] ?? []
        let listed = market.routes.map { Route(routable: $0.routable, pattern: $0.pattern) }
        let handlers = market.definition.routables.keys.sorted().filter { id in
            guard case .on(let settings)? = market.definition.routables[id] else { return false }
            return settings.handle != nil || settings.handler != nil
        }
        let opened = Set(own.map(\.routable))
        return RouteCoverage(
            market: market.id, routes: listed.map { ($0, own.contains($0)) },
            handlers: handlers.map { ($0, opened.contains($0)) })
    }
}

/// The parts of a market that tests use.
package struct RouteCoverage: Sendable {
    /// The market's id.
    package let market: String
    /// The routes, each with whether a link was routed through it.
    package let routes: [(route: OpenedRoutes.Route, isOpened: Bool)]
    /// The routables that the market handles itself (`handle`, `handler`), each with whether a link was routed to it.
    package let handlers: [(routable: String, isRun: Bool)]
}
