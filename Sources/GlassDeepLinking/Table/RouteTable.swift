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
    public static let visitLimit = 4_096

    /// The routes in the order of their declaration.
    public let declarations: [RouteDeclaration]

    /// The routes' patterns, in the same order.
    public let patterns: [RoutePattern]

    /// The most nodes that any link visits, when every candidate declines.
    public let worstVisits: Int

    /// Whether ``worstVisits`` is exact. It is an upper bound where the exact answer would take too long to find.
    public let isWorstVisitsExact: Bool

    /// A link, without scheme, that causes ``worstVisits``.
    public let worstLink: String

    let trie: RouteTrie

    /// Builds a table.
    ///
    /// - Parameters:
    ///   - declarations: The routes.
    ///   - limits: The gate's limits, which bound how deep a pattern may be.
    /// - Throws: ``RouteTableError`` with every problem of all declarations.
    /// - Complexity: O(total length) for the trie. Conflicts take time quadratic only in the number of patterns that
    ///   differ in nothing but the types of their parameters.
    public init(
        _ declarations: [RouteDeclaration], limits: DeepLinkLimits = DeepLinkLimits()
    ) throws(RouteTableError) {
        var issues: [RouteTableError.Issue] = []
        var patterns: [(ordinal: Int, pattern: RoutePattern)] = []
        for (ordinal, declaration) in declarations.enumerated() {
            do {
                let pattern = try RoutePattern(declaration.pattern)
                if pattern.segments.count > limits.segments {
                    issues.append(
                        .unreachable(declaration, segments: pattern.segments.count, limit: limits.segments))
                } else {
                    patterns.append((ordinal, pattern))
                }
            } catch {
                issues.append(.pattern(declaration, error))
            }
        }
        for conflict in RouteConflicts.find(in: patterns) {
            let (first, second) = (declarations[conflict.first], declarations[conflict.second])
            issues.append(.conflict(first, second, witness: conflict.witness))
        }
        let builder = RouteTrieBuilder(patterns)
        let worst = RouteWorstCase(builder).solve()
        if worst.visits > RouteTable.visitLimit {
            let visited = worst.routes.sorted().map { declarations[$0] }
            issues.append(
                .tooManyVisits(
                    visits: worst.visits, limit: RouteTable.visitLimit, witness: worst.link, visited))
        }
        guard issues.isEmpty else { throw RouteTableError(issues: issues) }
        self.declarations = declarations
        self.patterns = patterns.map(\.pattern)
        worstVisits = worst.visits
        isWorstVisitsExact = worst.isExact
        worstLink = worst.link
        trie = RouteTrie(builder, patterns: self.patterns)
    }

    /// A table without routes.
    public static let empty = RouteTable()

    private init() {
        declarations = []
        patterns = []
        worstVisits = 1
        isWorstVisitsExact = true
        worstLink = ""
        trie = RouteTrie(RouteTrieBuilder([]), patterns: [])
    }

    /// The most specific route for a link.
    ///
    /// - Parameter link: The link; its scheme and host are not looked at.
    /// - Returns: The route, or `nil`.
    /// - Complexity: At most ``worstVisits`` nodes, whatever the link.
    public func bestMatch(for link: DeepLink) -> RouteMatch? {
        var match: RouteMatch?
        search(link) { ordinal in
            match = makeMatch(ordinal, link)
            return false
        }
        return match
    }

    /// All routes for a link, the most specific first.
    ///
    /// - Parameter link: The link; its scheme and host are not looked at.
    /// - Returns: The routes.
    /// - Complexity: At most ``worstVisits`` nodes, whatever the link.
    public func matches(for link: DeepLink) -> [RouteMatch] {
        var matches: [RouteMatch] = []
        search(link) { ordinal in
            matches.append(makeMatch(ordinal, link))
            return true
        }
        return matches
    }

    /// How many nodes the search for all routes of a link visits.
    ///
    /// - Parameter link: The link.
    /// - Returns: The number of nodes, never more than ``worstVisits``.
    public func visits(for link: DeepLink) -> Int {
        search(link) { _ in true }
    }

    @discardableResult
    private func search(_ link: DeepLink, _ body: (Int) -> Bool) -> Int {
        var search = RouteSearch(trie: trie, path: link.path, queryItems: link.queryItems)
        search.run(body)
        return search.visits
    }

    private func makeMatch(_ ordinal: Int, _ link: DeepLink) -> RouteMatch {
        var parameters = RouteParameters()
        for (index, segment) in patterns[ordinal].segments.enumerated() where index < link.path.count {
            switch segment {
            case .literal: continue
            case .parameter(let name, _): parameters.append(name: name, value: link.path.string(index))
            case .catchAll(let name):
                let rest = (index..<link.path.count).map(link.path.string)
                parameters.append(name: name, value: rest.joined(separator: "/"))
            }
        }
        return RouteMatch(declaration: declarations[ordinal], ordinal: ordinal, parameters: parameters)
    }
}
