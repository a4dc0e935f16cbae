import GlassBase
import GlassDeepLinking

/// The routes of one app on one host, which correspond to a block of an association file or to an intent filter.
struct HostAppPair: Sendable {
    /// The host that serves the files.
    let host: String
    /// The hosts that the markets list: the one that serves the files, the wildcard for all hosts below it, or both.
    var names: [String] = []
    /// The app's bundle identifier or package; the market, if neither is set.
    let app: String
    /// The indices of the markets, in order.
    var markets: [Int]
    /// The paths that all of these markets keep in the browser. A path that only some of them keep there may be a link
    /// of the others, and the files cannot tell them apart.
    var browser: [BrowserPath] = []
    /// The routes of these markets, each with its index in its market.
    var routes: [(market: Int, index: Int, route: SiteInput.Route)] = []

    var patterns: [RoutePattern] { routes.map(\.route.pattern) }

    /// A host of the links: the one that serves the files, unless the markets list only those below it.
    var linkHost: String { names.isEmpty || names.contains(host) ? host : UniversalHost("*.\(host)").example }

    private struct Key: Hashable {
        let host: String
        let app: String
    }

    /// The pairs of the markets, in the order of markets and their hosts.
    static func units(
        of markets: [SiteInput.Market], hosts: [[String]], app: (SiteInput.App) -> String, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [HostAppPair] {
        var units: [HostAppPair] = []
        var places: [Key: Int] = [:]
        for (index, market) in markets.enumerated() {
            let app = app(market.app).isEmpty ? "market " + market.id : app(market.app)
            for name in hosts[index] {
                let host = UniversalHost(name).fileHost
                let place = places[Key(host: host, app: app)] ?? units.count
                if place == units.count {
                    places[Key(host: host, app: app)] = place
                    units.append(HostAppPair(host: host, app: app, markets: []))
                }
                if !units[place].names.contains(name) { units[place].names.append(name) }
                // Skip the repetition of a host that a market lists twice, or also with a wildcard.
                guard units[place].markets.last != index else { continue }
                try budget.spend(1 + market.routes.count, on: .exporting)
                try budget.hold(bytes: market.routes.count * MemoryLayout<SiteInput.Route>.stride, for: .exporting)
                let common = units[place].browser
                units[place].browser =
                    units[place].markets.isEmpty
                    ? market.browser
                    : common.filter { path in market.browser.contains { $0.includes(path) } }
                        + market.browser.filter { path in
                            !common.contains(path) && common.contains { $0.includes(path) }
                        }
                units[place].markets.append(index)
                units[place].routes += market.routes.enumerated().map { (index, $0, $1) }
            }
        }
        return units
    }
}

/// The block of an `apple-app-site-association` file for one app on one host.
struct AssociationRules: Sendable {
    let unit: HostAppPair
    let components: [RouteRule<SiteComponent>]
    private let matcher: AssociationMatcher

    init(
        unit: HostAppPair, components: [RouteRule<SiteComponent>], variables: SiteVariables, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        self.unit = unit
        self.components = components
        var compiled: [AssociationComponent] = []
        for component in components {
            compiled.append(
                try AssociationComponent(
                    component.rule.content, variables: variables, budget: budget, on: .exporting))
        }
        matcher = AssociationMatcher(compiled)
    }

    /// The routes whose rule claims a link; `nil` if none certainly does. The first matching component decides.
    func claim(_ sample: SiteSample, budget: WorkBudget) throws(WorkBudget.Exceeded) -> [Int]? {
        var work = MatchingWork(budget, on: .exporting)
        let (outcomes, place) = try matcher.decision(on: sample.associationLink, &work)
        try work.spend()
        guard outcomes == .opens, let place else { return nil }
        return components[place].owners
    }
}

/// The intent filters for one app on one host.
struct AndroidRules: Sendable {
    let unit: HostAppPair
    let rules: [RouteRule<AndroidPathRule>]
    /// The dynamic rules that narrow them on API 35; empty if there are none.
    let dynamic: [AndroidDynamicRule]
    private let index: LiteralPrefixIndex

    init(unit: HostAppPair, rules: [RouteRule<AndroidPathRule>], dynamic: [AndroidDynamicRule] = []) {
        self.unit = unit
        self.rules = rules
        self.dynamic = dynamic
        index = LiteralPrefixIndex(rules.map { LiteralPrefixIndex.prefix(of: $0.rule) })
    }

    /// Whether the filter has no path that API 30 supports, so that it claims every path there.
    var claimsWholeHostBelow31: Bool {
        !rules.isEmpty && !rules.contains { $0.rule.isKnownBelowAPI31 }
    }

    /// The routes whose rules claim a link; `nil` if there are none.
    func claim(_ sample: SiteSample, budget: WorkBudget) throws(WorkBudget.Exceeded) -> [Int]? {
        let path = sample.decodedPath
        var matching: [RouteRule<AndroidPathRule>] = []
        for place in index.candidates(for: path) {
            let rule = rules[place]
            try budget.spend(2 + (rule.rule.value.utf8.count + path.utf8.count) / 32, on: .exporting)
            guard rule.rule.matches(path: path) else { continue }
            try budget.spend(rule.owners.count, on: .exporting)
            matching.append(rule)
        }
        return matching.isEmpty ? nil : Array(Set(matching.flatMap(\.owners))).sorted()
    }

    /// The routes whose rules claim a link on API 35, where dynamic rules narrow them; `nil` if there are none.
    func claimNarrowed(_ sample: SiteSample, budget: WorkBudget) throws(WorkBudget.Exceeded) -> [Int]? {
        guard let owners = try claim(sample, budget: budget) else { return nil }
        try budget.spend(dynamic.count / 4, on: .exporting)
        return AndroidDynamicRule.allow(dynamic, path: sample.decodedPath, query: sample.query) ? owners : nil
    }
}
