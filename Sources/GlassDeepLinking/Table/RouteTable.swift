package import GlassBase

/// A frozen set of routes that finds the most specific one for a link.
///
/// Rank is compared from left to right: literal, then typed parameter, then plain parameter, then catch-all; where the
/// paths rank equal, the pattern that requires more query items wins. The search backtracks fully and still visits each
/// node of its trie at most once for a link; the build computes the most visits that any link can cause.
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
    /// The most nodes that a link may visit.
    package static let visitLimit = 4_096

    /// The routes in the order of their declaration.
    package var declarations: [RouteDeclaration] { routes.declarations }

    /// The routes' patterns, in the same order.
    package var patterns: [RoutePattern] { routes.patterns }

    /// The most nodes that any link visits, when every candidate declines.
    public var worstVisits: Int { routes.worst.visits }

    /// Whether ``worstVisits`` is exact. It is an upper bound where the exact answer would take too long to find.
    package var isWorstVisitsExact: Bool { routes.worst.isExact }

    /// A link, without scheme, that causes ``worstVisits``.
    public var worstLink: String { routes.worst.link }

    let routes: FrozenRoutes

    /// Builds a table.
    ///
    /// - Parameters:
    ///   - declarations: The routes.
    ///   - limits: The gate's limits, which bound how deep a pattern may be.
    /// - Throws: ``RouteTableError`` with every problem of all declarations.
    /// - Complexity: O(total length), words of lists included. Only conflicts of patterns with two and more typed
    ///   parameters may take more: then each is compared with those that share a value with it in one of the places.
    public init(
        _ declarations: [RouteDeclaration], limits: DeepLinkLimits = DeepLinkLimits()
    ) throws(RouteTableError) {
        try self.init(declarations, limits: limits, budget: .forOwnRoutes)
    }

    /// Builds a table from routes that somebody else wrote.
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
    /// - Parameter link: The link; its scheme and host are not looked at.
    /// - Returns: The route, or `nil`.
    /// - Complexity: At most ``worstVisits`` nodes, whatever the link. Nothing is allocated while a table's
    ///   ``worstVisits`` is below 256, until a parameter is read.
    public func bestMatch(for link: consuming DeepLink) -> RouteMatch? {
        // The closure holds a number only: one that held the link would retain its parts at every node.
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

    /// How many nodes the search for all routes of a link visits.
    package func visits(for link: DeepLink) -> Int {
        RouteSearch.run(routes, link: link.source) { _ in true }
    }
}
