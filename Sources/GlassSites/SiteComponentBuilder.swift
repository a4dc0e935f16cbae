import GlassBase
import GlassDeepLinking

/// Converts routes to the components of an `apple-app-site-association` file.
///
/// `*` matches slashes, so `/ip/?*` alone would also claim `/ip/1/x`. The order of the components corrects that: first
/// the routes with a catch-all, then the others from the deepest to the shallowest, and before each depth that needs it
/// an entry that excludes all deeper paths (`/?*/?*/?*` is any path of three or more segments). With the depth bounded,
/// each slash of a pattern matches exactly one slash of the path, so no wildcard matches one. Links with an empty
/// segment are not considered: the gate refuses them, and no pattern contains `//`, because it is unknown how devices
/// interpret it. A pattern must not end in `/*` either, which would also match the path without that segment.
struct SiteComponentBuilder {
    /// The values of the variables so far, by name, shared by all apps on a host.
    private(set) var variables: [String: [String]] = [:]

    /// The names of the variables so far, by value.
    private var names: [[String]: String] = [:]
    private let budget: WorkBudget

    init(budget: WorkBudget) {
        self.budget = budget
    }

    private static let anySegment = "?*"

    /// The components of an app on a host. Those that keep paths in the browser come first, because the first match
    /// decides.
    mutating func components(of unit: HostAppPair) throws(WorkBudget.Exceeded) -> [RouteRule<SiteComponent>] {
        var kept = OwnedRules<SiteComponent>()
        for path in unit.browser {
            let own = "/" + path.segments.map(SiteText.pathSegment).joined(separator: "/")
            // Devices take `/help/*` for `/help` too, which the documentation does not say.
            for text in path.segments.isEmpty ? [own] : [own, own + (path.includesBelow ? "/*" : "/")] {
                try kept.add(
                    SiteComponent(path: text, isExcluded: true, comment: "stays in the browser"), owner: -1,
                    size: text.utf8.count, budget: budget)
            }
        }
        return kept.list.map { RouteRule(rule: $0.rule, owners: []) } + (try components(for: unit.patterns))
    }

    mutating func components(
        for patterns: [RoutePattern]
    ) throws(WorkBudget.Exceeded) -> [RouteRule<SiteComponent>] {
        var rests = OwnedRules<SiteComponent>()
        var levels: [Int: OwnedRules<SiteComponent>] = [:]
        for (owner, pattern) in patterns.enumerated() {
            for variant in SiteVariant.variants(of: pattern) {
                let texts = variant.segments.map { text(of: $0) }
                let query = Dictionary(
                    variant.query.map { (SiteText.queryName($0), Self.anySegment) },
                    uniquingKeysWith: { first, _ in first })
                if variant.isCatchAll {
                    let path = "/" + (texts + [Self.anySegment]).joined(separator: "/")
                    try rests.add(
                        SiteComponent(path: path, query: query), owner: owner, size: path.utf8.count,
                        budget: budget)
                    continue
                }
                var paths = ["/" + texts.joined(separator: "/")]
                // A wildcard at the end also matches a trailing slash; anything else needs an entry for it.
                if let last = texts.last, !last.hasSuffix(Self.anySegment) { paths.append(paths[0] + "/") }
                for path in paths {
                    try levels[texts.count, default: OwnedRules()].add(
                        SiteComponent(path: path, query: query), owner: owner, size: path.utf8.count,
                        budget: budget)
                }
            }
        }
        var result = rests.list
        for depth in levels.keys.sorted(by: >) {
            let level = levels[depth]?.list ?? []
            if level.contains(where: { $0.rule.path.contains(Self.anySegment) }) {
                let path = String(repeating: "/" + Self.anySegment, count: depth + 1)
                let comment = "from here on no route has more than \(depth) \(depth == 1 ? "segment" : "segments")"
                let exclusion = SiteComponent(path: path, isExcluded: true, comment: comment)
                result.append(RouteRule(rule: exclusion, owners: []))
            }
            result += level
        }
        return result
    }

    private mutating func text(of segment: RoutePattern.Segment) -> String {
        switch segment {
        case .literal(let text): SiteText.pathSegment(text)
        case .parameter(_, let type): text(of: type)
        case .affixed(let parameter):
            SiteText.pathSegment(parameter.prefix) + text(of: parameter.type) + SiteText.pathSegment(parameter.suffix)
        case .catchAll: Self.anySegment
        }
    }

    private mutating func text(of type: ParameterType?) -> String {
        switch type {
        case .named(let type): return type.declaration.applePattern ?? Self.anySegment
        case .oneOf(let words):
            let values = words.map(SiteText.pathSegment)
            return "$(\(name(of: values)))"
        case nil: return Self.anySegment
        }
    }

    private mutating func name(of values: [String]) -> String {
        if let known = names[values] { return known }
        let name = "list\(variables.count + 1)"
        variables[name] = values
        names[values] = name
        return name
    }
}
