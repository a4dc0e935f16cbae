package import GlassBase

/// An immutable set of routes that finds the most specific one for a link.
///
/// Ranks are compared from left to right: literal, parameter beside text (the longer text first, then the typed one),
/// typed parameter, plain parameter, catch-all; if the paths have equal rank, the pattern that requires more query items
/// wins. The search backtracks fully, yet visits each node of its trie
/// at most once per link; the maximum number of visits for any link is computed when the table is built.
///
/// ```swift
/// let table = try RouteTable([
///     RouteDeclaration(pattern: "ip/:itemID(int)", routableID: "item"),
///     RouteDeclaration(pattern: "ip/new", routableID: "deals"),
/// ])
/// let link = try DeepLink("walmart://ip/new")
/// print(table.bestMatch(for: link)!.declaration.routableID)  // deals
/// ```
public struct RouteTable: Sendable {
    /// The maximum number of nodes that a link may visit.
    package static let visitLimit = 4_096

    /// The routes in declaration order.
    package var declarations: [RouteDeclaration] { routes.declarations }

    /// The routes' patterns, in the same order.
    package var patterns: [RoutePattern] { routes.patterns }

    /// The maximum number of nodes that any link visits if every candidate declines.
    public var worstVisits: Int { routes.worst.visits }

    /// Whether ``worstVisits`` is exact. It is an upper bound if the exact value would take too long to compute.
    package var isWorstVisitsExact: Bool { routes.worst.isExact }

    /// A link (without scheme) that causes ``worstVisits``.
    public var worstLink: String { routes.worst.link }

    let routes: FrozenRoutes

    /// Builds a table.
    ///
    /// - Parameters:
    ///   - declarations: The routes.
    ///   - limits: The gate's limits, which bound the depth of a pattern.
    /// - Throws: ``RouteTableError`` with all problems of all declarations.
    /// - Complexity: O(total length), including words of lists. Only conflicts of patterns with two or more typed
    ///   parameters may take longer: each is then compared with those that share a value with it in one of the
    ///   positions.
    public init(
        _ declarations: [RouteDeclaration], limits: DeepLinkLimits = DeepLinkLimits()
    ) throws(RouteTableError) {
        try self.init(declarations, limits: limits, budget: .forOwnRoutes)
    }

    /// Builds a table from untrusted routes.
    package init(
        _ declarations: [RouteDeclaration], limits: DeepLinkLimits = DeepLinkLimits(), budget: WorkBudget
    ) throws(RouteTableError) {
        let result: Result<FrozenRoutes, RouteTableError>
        do throws(WorkBudget.Exceeded) {
            result = try RouteTableAssembly(declarations, limits, budget).routes()
        } catch {
            throw RouteTableError(error)
        }
        routes = try result.get()
    }

    /// A table without routes.
    package static let empty = RouteTable()

    private init() {
        let builder = RouteTrieBuilder([], RouteVocabulary())
        let worst = RouteWorstCase.Result(visits: 1, isExact: true, link: "", routes: [])
        routes = FrozenRoutes([], [], RouteTrie(builder, patterns: []), worst)
    }

    /// The most specific route for a link.
    ///
    /// - Parameter link: The link; its scheme and host are ignored.
    /// - Returns: The route, or `nil`.
    /// - Complexity: At most ``worstVisits`` nodes, whatever the link. Allocates nothing until a parameter is read,
    ///   provided that the table's ``worstVisits`` is below 256.
    public func bestMatch(for link: DeepLink) -> RouteMatch? {
        // The closure captures only a number: if it captured the link, it would retain its parts at every node.
        var best = -1
        _ = RouteSearch.run(routes, link: link.source) { ordinal in
            best = ordinal
            return false
        }
        return best < 0 ? nil : RouteMatch(routes, best, link.source)
    }

    /// All routes for a link, the most specific first.
    package func matches(for link: DeepLink) -> [RouteMatch] {
        var ordinals: [Int] = []
        _ = RouteSearch.run(routes, link: link.source) { ordinal in
            ordinals.append(ordinal)
            return true
        }
        return ordinals.map { RouteMatch(routes, $0, link.source) }
    }

    /// The number of nodes that the search for all routes of a link visits.
    package func visits(for link: DeepLink) -> Int {
        RouteSearch.run(routes, link: link.source) { _ in true }
    }
}
