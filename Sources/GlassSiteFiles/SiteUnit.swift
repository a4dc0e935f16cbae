import GlassBase
import GlassDeepLinking

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

    private struct Key: Hashable {
        let host: String
        let app: String
    }

    /// The units of markets, in the order of the markets and their hosts.
    static func units(
        of markets: [SiteInput.Market], hosts: [[String]], app: (SiteInput.App) -> String, allowance: Allowance
    ) throws(Allowance.Exceeded) -> [SiteUnit] {
        var units: [SiteUnit] = []
        var places: [Key: Int] = [:]
        for (index, market) in markets.enumerated() {
            let app = app(market.app).isEmpty ? "market " + market.id : app(market.app)
            for host in hosts[index] {
                let place = places[Key(host: host, app: app)] ?? units.count
                if place == units.count {
                    places[Key(host: host, app: app)] = place
                    units.append(SiteUnit(host: host, app: app, markets: []))
                }
                // Of a host that a market names twice the second is left out.
                guard units[place].markets.last != index else { continue }
                try allowance.spend(1 + market.routes.count, on: .exporting)
                try allowance.hold(bytes: market.routes.count * MemoryLayout<SiteInput.Route>.stride, for: .exporting)
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
    private let matcher: AssociationMatcher

    init(
        unit: SiteUnit, components: [OwnedRule<SiteComponent>], variables: SiteVariables, allowance: Allowance
    ) throws(Allowance.Exceeded) {
        self.unit = unit
        self.components = components
        var compiled: [AssociationComponent] = []
        for component in components {
            compiled.append(
                try AssociationComponent(
                    component.rule.content, variables: variables, allowance: allowance, on: .exporting))
        }
        matcher = AssociationMatcher(compiled)
    }

    /// The routes whose rule claims a link; `nil` when none does for certain. The first component that matches decides.
    func claim(_ sample: SiteSample, allowance: Allowance) throws(Allowance.Exceeded) -> [Int]? {
        var work = MatchingWork(allowance, on: .exporting)
        let (outcomes, place) = try matcher.decision(on: sample.associationLink, &work)
        try work.spend()
        guard outcomes == .opens, let place else { return nil }
        return components[place].owners
    }
}

/// A unit's part of the intent filters.
struct AndroidRules: Sendable {
    let unit: SiteUnit
    let rules: [OwnedRule<AndroidPathRule>]
    /// What narrows them on API 35; empty for nothing.
    let dynamic: [AndroidDynamicRule]
    private let index: LiteralPrefixIndex
    private let allRoutes: [Int]

    init(unit: SiteUnit, rules: [OwnedRule<AndroidPathRule>], dynamic: [AndroidDynamicRule] = []) {
        self.unit = unit
        self.rules = rules
        self.dynamic = dynamic
        allRoutes = Array(unit.routes.indices)
        index = LiteralPrefixIndex(rules.map { LiteralPrefixIndex.prefix(of: $0.rule) })
    }

    /// Whether a filter with these rules has no path that API 30 knows, so that it claims every path there.
    var claimsWholeHostBelow31: Bool {
        !rules.isEmpty && !rules.contains { $0.rule.isKnownBelowAPI31 }
    }

    /// The routes whose rules claim a link; `nil` when none does.
    func claim(
        _ sample: SiteSample, below31: Bool, allowance: Allowance
    ) throws(Allowance.Exceeded) -> [Int]? {
        if below31 && claimsWholeHostBelow31 { return allRoutes }
        let path = sample.decodedPath
        var matching: [OwnedRule<AndroidPathRule>] = []
        for place in index.candidates(for: path) {
            let rule = rules[place]
            try allowance.spend(2 + (rule.rule.value.utf8.count + path.utf8.count) / 32, on: .exporting)
            guard !below31 || rule.rule.isKnownBelowAPI31, rule.rule.matches(path: path) else { continue }
            try allowance.spend(rule.owners.count, on: .exporting)
            matching.append(rule)
        }
        return matching.isEmpty ? nil : Array(Set(matching.flatMap(\.owners))).sorted()
    }

    /// The routes whose rules claim a link on API 35, where dynamic rules narrow them; `nil` when none does.
    func claimNarrowed(_ sample: SiteSample, allowance: Allowance) throws(Allowance.Exceeded) -> [Int]? {
        guard let owners = try claim(sample, below31: false, allowance: allowance) else { return nil }
        try allowance.spend(dynamic.count / 4, on: .exporting)
        return AndroidDynamicRule.allow(dynamic, path: sample.decodedPath, query: sample.query) ? owners : nil
    }
}
