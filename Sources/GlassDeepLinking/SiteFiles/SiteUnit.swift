/// The routes of one app on one host: what a block of a site file or an intent filter stands for.
struct SiteUnit: Sendable {
    let host: String
    /// What tells apps apart: the bundle or the package, or for want of it the market.
    let app: String
    /// Indices of the markets, in their order.
    var markets: [Int]
    /// The routes of all its markets, each with its index in its market.
    var routes: [(market: Int, index: Int, route: SiteInput.Route)] = []

    var patterns: [RoutePattern] { routes.map(\.route.pattern) }

    static func units(
        of markets: [SiteInput.Market], hosts: [[String]], app: (SiteInput.App) -> String
    ) -> [SiteUnit] {
        var units: [SiteUnit] = []
        for (index, market) in markets.enumerated() {
            let key = app(market.app).isEmpty ? "market " + market.id : app(market.app)
            for host in hosts[index] {
                var place = units.firstIndex { $0.host == host && $0.app == key }
                if place == nil {
                    place = units.count
                    units.append(SiteUnit(host: host, app: key, markets: []))
                }
                guard let place, !units[place].markets.contains(index) else { continue }
                units[place].markets.append(index)
                units[place].routes += market.routes.enumerated().map { (index, $0, $1) }
            }
        }
        return units
    }
}

/// A unit's block of an `apple-app-site-association` file.
struct AssociationRules: Sendable {
    let unit: SiteUnit
    let components: [OwnedRule<SiteComponent>]
    private let paths: [SitePattern]

    init(unit: SiteUnit, components: [OwnedRule<SiteComponent>], variables: [String: [String]]) {
        self.unit = unit
        self.components = components
        paths = components.map { SitePattern($0.rule.path, variables: variables, isCaseSensitive: false) }
    }

    /// The routes whose rule claims a link; `nil` when none does. The first component that matches decides.
    func claim(_ sample: SiteSample) -> [Int]? {
        let path = sample.path.isEmpty ? "/" : sample.path
        for (index, component) in components.enumerated() where paths[index].matches(path) {
            guard component.rule.matchesQuery(sample.query) else { continue }
            return component.rule.isExcluded ? nil : component.owners
        }
        return nil
    }
}

/// A unit's part of the intent filters.
struct AndroidRules: Sendable {
    let unit: SiteUnit
    let rules: [OwnedRule<AndroidPathRule>]

    /// Whether a filter with these rules has no path that API 30 knows, so that it claims every path there.
    var claimsWholeHostBelow31: Bool {
        !rules.isEmpty && !rules.contains { $0.rule.isKnownBelowAPI31 }
    }

    /// The routes whose rules claim a link; `nil` when none does.
    func claim(_ sample: SiteSample, below31: Bool) -> [Int]? {
        if below31 && claimsWholeHostBelow31 { return Array(unit.routes.indices) }
        let path = sample.decodedPath
        let matching = rules.filter { (!below31 || $0.rule.isKnownBelowAPI31) && $0.rule.matches(path: path) }
        return matching.isEmpty ? nil : Array(Set(matching.flatMap(\.owners))).sorted()
    }
}
