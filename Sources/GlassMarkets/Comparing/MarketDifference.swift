package import GlassBase
import GlassDeepLinking
package import GlassSchema

/// The differences between markets, or between two versions of one market: keys and links.
///
/// Compares effective values, including defaults, and each list as one value. The `id` is not compared, and neither is
/// what the links already show about routables.
///
/// ```swift
/// let difference = try MarketDifference([try markets.load("us"), try markets.load("ca")])
/// for line in difference.lines { print(line) }  // currency: "USD" in us, "CAD" in ca
/// ```
public struct MarketDifference: Sendable {
    /// The name of each side, in the order of every `sides` below.
    package let labels: [String]
    /// Whether the two sides are an older and a newer version of one market.
    package let areVersions: Bool
    /// The keys that differ, in the order of their paths.
    package let keys: [KeyDifference]
    /// The links that differ, in the order of their routables.
    package let links: [LinkDifference]
    /// Who gets something else because the shares of flags differ, for two versions of one market.
    package let flags: [FlagShift]

    /// Whether nothing differs.
    public var isEmpty: Bool { keys.isEmpty && links.isEmpty }

    /// Compares markets.
    package init(
        _ markets: [Market], labels: [String]? = nil, budget: WorkBudget = .unlimited
    ) throws(WorkBudget.Exceeded) {
        try self.init(markets, labels: labels ?? markets.map(\.id), areVersions: false, budget)
    }

    /// Compares two versions of one market.
    package init(
        from before: Market, to after: Market, labels: (before: String, after: String) = ("before", "after")
    ) {
        do {
            try self.init(from: before, to: after, labels: labels, budget: .unlimited)
        } catch {
            preconditionFailure("a budget without limits ran out: \(error)")
        }
    }

    /// Compares two versions of one market within a budget.
    package init(
        from before: Market, to after: Market, labels: (before: String, after: String), budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        try self.init([before, after], labels: [labels.before, labels.after], areVersions: true, budget)
    }

    /// Compares markets in another situation than an earlier comparison.
    init(_ markets: [Market], like earlier: MarketDifference, budget: WorkBudget) throws(WorkBudget.Exceeded) {
        try self.init(markets, labels: earlier.labels, areVersions: earlier.areVersions, budget)
    }

    /// The differences that two closures accept.
    func keeping(keys: (KeyDifference) -> Bool, links: (LinkDifference) -> Bool) -> MarketDifference {
        MarketDifference(
            labels: labels, areVersions: areVersions, keys: self.keys.filter(keys), links: self.links.filter(links))
    }

    /// Differences without flags, which are the same in every situation.
    private init(labels: [String], areVersions: Bool, keys: [KeyDifference], links: [LinkDifference]) {
        flags = []
        self.labels = labels
        self.areVersions = areVersions
        self.keys = keys
        self.links = links
    }

    private init(
        _ markets: [Market], labels: [String], areVersions: Bool, _ budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        self.labels = labels
        self.areVersions = areVersions
        var compared: [ComparedMarket] = []
        for market in markets { compared.append(try ComparedMarket(market, budget: budget)) }
        keys = try KeyDifference.all(in: compared, budget: budget)
        links = try LinkDifference.all(in: compared, budget: budget)
        flags = areVersions ? FlagShift.all(from: markets[0].flags.set, to: markets[1].flags.set) : []
    }
}

/// A market prepared for comparison.
struct ComparedMarket {
    let market: Market
    /// The effective values by key, with each list as one value.
    let values: [ConfigurationPath: ConfigurationValue]
    /// The links of each routable that the market has.
    let links: [String: LinkDifference.Side]
    /// The names of its flags.
    let flags: Set<String>
    /// The source texts by which its functions are compared.
    let functions: any FunctionSources

    init(_ market: Market, budget: WorkBudget) throws(WorkBudget.Exceeded) {
        self.market = market
        functions = market.origin.functionTexts()
        flags = Set(market.flags.set.flags.keys)
        var values: [ConfigurationPath: ConfigurationValue] = [:]
        let effective = market.effective
        if case .map(let sections) = effective.value {
            for (name, section) in sections where name != "id" && name != "routables" {
                // A market compiled before there were flags has none, instead of an empty table of them.
                if name == "flags" || name == "layers" {
                    guard case .map(let entries) = section.value, !entries.isEmpty else { continue }
                }
                for (path, value) in section.keys(at: ConfigurationPath([.key(name)])) { values[path] = value }
            }
        }
        for (id, routable) in market.definition.routables {
            guard case .on(let settings) = routable else { continue }
            let path = ConfigurationPath([.key("routables"), .key(id)])
            if let handle = settings.handle { values[path.appending("handle")] = handle.configurationValue }
            let shows = [
                ("show", settings.show?.configurationValue), ("handler", settings.handler?.configurationValue),
            ]
            for case (let key, let value?) in shows {
                let own = path.appending(key)
                for (path, value) in ConfigurationNode(value).keys(at: own) { values[path] = value }
            }
            for key in market.schema.ownKeys(ofRoutable: id) {
                let own = path.appending(key)
                for (path, value) in effective.node(at: own)?.keys(at: own) ?? [] { values[path] = value }
            }
        }
        self.values = values
        let routes = market.routes
        try budget.spend(4 * (values.count + routes.count), on: .comparing)
        let form: String
        if let scheme = market.definition.deepLinking.schemes.first {
            form = "\(scheme)://"
        } else {
            form = market.definition.deepLinking.universalLinks.exampleHost.map { "https://\($0)/" } ?? ""
        }
        links = Dictionary(grouping: routes, by: \.routable).mapValues { routes in
            LinkDifference.Side(
                links: routes.map { form + ($0.pattern == "/" ? "" : $0.pattern) }, patterns: routes.map(\.pattern),
                waitsFor: routes.first?.waitsFor ?? "nothing")
        }
    }
}

extension ConfigurationNode {
    /// The values below this node by key. A list is one value, and so is a table without keys.
    package func keys(at path: ConfigurationPath) -> [(path: ConfigurationPath, value: ConfigurationValue)] {
        guard case .map(let entries) = value, !entries.isEmpty else { return [(path, value)] }
        return entries.inOrder.flatMap { $0.value.keys(at: path.appending($0.key)) }
    }
}
