import GlassBase
import GlassContainer
import GlassDeepLinking
import GlassSchema
import LuaBridge

/// Builds a market's routables and registers them with its deep linker, or says why that cannot be.
struct RoutableAssembly {
    let definition: MarketDefinition
    let source: ConfigurationNode
    /// Where the bytes of the patterns stand.
    let places: MarketTextPlaces
    let state: LuaState
    let limits: LuaLimits
    let allowance: Allowance
    /// What is wrong with ids, patterns and routes, all at once. With an error among it some routables are missing, and
    /// the deep linker is of no use.
    private(set) var findings: FindingList

    init(
        definition: MarketDefinition, source: ConfigurationNode, places: MarketTextPlaces, state: LuaState,
        limits: LuaLimits, allowance: Allowance, findings: FindingList
    ) {
        self.definition = definition
        self.source = source
        self.places = places
        self.state = state
        self.limits = limits
        self.allowance = allowance
        self.findings = findings
    }

    /// Registers the routables of the market.
    ///
    /// - Parameters:
    ///   - deepLinker: The market's deep linker.
    ///   - container: The market's container.
    /// - Throws: `Allowance.Exceeded` when the routes take more work than they may.
    mutating func register(in deepLinker: any DeepLinker, container: Container) throws(Allowance.Exceeded) {
        var routables: [any Routable] = []
        for (id, routable) in definition.routables.sorted(by: { $0.key < $1.key }) {
            try allowance.spend(on: .routes)
            guard case .on(let settings) = routable else { continue }
            if let handle = settings.handle?.value.payload as? LuaFunction {
                var configuration = settings.configuration
                configuration.paths = configuration.paths ?? StandardRoutables.feature(id: id)?.paths
                routables.append(
                    LuaRoutable(
                        id: id, configuration: configuration, handle: handle, state: state, limits: limits))
                if configuration.paths == nil, configuration.customPaths.isEmpty {
                    try reportMissingPaths(of: id)
                }
            } else if let routable = StandardRoutables.makeRoutable(
                id: id, container: container, configuration: settings.configuration)
            {
                routables.append(routable)
            } else {
                try reportUnknown(id)
            }
        }
        // Also beside a wrong id: whoever mends it wants to hear of the patterns in the same run.
        do throws(RouteTableError) {
            try deepLinker.register(routables: routables, allowance: allowance)
        } catch {
            if let exceeded = error.exceeded { throw exceeded }
            for issue in error.issues { try report(issue) }
            let file = error.issues.last?.declarations.last.flatMap { place(of: $0).position?.file }
            return findings.count(error.omittedCount, severity: .error, in: file)
        }
        let names = MarketPreconditions.names(of: definition)
        try allowance.spend(names.count, on: .routes)
        deepLinker.declarePreconditions(names)
        try reportDeclinedPaths()
        try reportShadowedRoutes(in: deepLinker.table)
    }

    // MARK: Findings

    private mutating func reportUnknown(_ id: String) throws(Allowance.Exceeded) {
        let (source, allowance) = (source, allowance)  // for the closures of texts
        let path = ConfigurationPath([.key("routables"), .key(id)])
        let node = source.node(at: path)
        try findings.add(
            .unknownRoutable, at: node?.keyPosition ?? node?.position, path: path,
            "no standard routable has this id, and without a handle it is no routable of the market's own",
            hint: try Suggestion.nearest(to: id, in: StandardRoutables.all.map(\.id), allowance: allowance)
                .map { "did you mean \"\($0)\"?" } ?? "give it handle = function(link, state) … end")
    }

    private mutating func reportMissingPaths(of id: String) throws(Allowance.Exceeded) {
        let path = ConfigurationPath([.key("routables"), .key(id)])
        try findings.add(
            .missingKey, at: source.node(at: path)?.position, path: path.appending("paths"),
            "missing: a routable of the market's own has no standard paths",
            hint: "write paths = { \"\(id)\" }")
    }

    private mutating func report(_ issue: RouteTableError.Issue) throws(Allowance.Exceeded) {
        switch issue {
        case .pattern(let route, let error):
            let (node, position, path) = place(of: route)
            // Behind `  hint: `, so that the carets stay under the pattern.
            try findings.add(
                .invalidPattern, at: node.flatMap { places.position(ofByte: error.offset, in: $0) } ?? position,
                path: path, error.description,
                hint: error.caretLines.split(separator: "\n", omittingEmptySubsequences: false)
                    .joined(separator: "\n        "))
        case .unreachable(let route, let segments, let limit):
            let (_, position, path) = place(of: route)
            try findings.add(
                .invalidPattern, at: position, path: path,
                "pattern \(route.pattern.quotedForMessage) has \(segments) segments, and a link has at most \(limit)",
                hint: "shorten it")
        case .conflict(let first, let second, let witness):
            let other = place(of: first).position.map { " (\($0))" } ?? ""
            let (_, position, path) = place(of: second)
            try findings.add(
                .routeConflict, at: position, path: path,
                "\(second.pattern.quotedForMessage) clashes with \(first.pattern.quotedForMessage) of \(first.routableID)\(other): both match "
                    + "\(witness.quotedForMessage) with equal rank",
                hint: "change or remove one of them")
        case .tooManyVisits(_, _, _, let routes):
            let place = routes.first.map(place)
            try findings.add(
                .routeConflict, at: place?.position, path: place?.path ?? "routables", issue.description,
                hint: "make some of them literal")
        case .exceeded(let text):
            try findings.add(.limit, at: nil, path: "routables", text)  // thrown as what it is before
        }
    }

    /// The routes that no link reaches.
    private mutating func reportShadowedRoutes(in table: RouteTable) throws(Allowance.Exceeded) {
        for case .shadowed(let route, let other, let witness) in try table.findings(allowance: allowance) {
            let (_, position, path) = place(of: route)
            try findings.add(
                .routeShadowed, severity: .warning, at: position, path: path,
                "no link reaches \(route.pattern.quotedForMessage): \(witness.quotedForMessage) goes to "
                    + "\(other.pattern.quotedForMessage) of \(other.routableID)",
                hint: "remove it, or the more specific routes")
        }
    }

    /// A standard routable declines links without the values that it needs; a pattern that never gives them is a trap.
    private mutating func reportDeclinedPaths() throws(Allowance.Exceeded) {
        for (id, routable) in definition.routables.sorted(by: { $0.key < $1.key }) {
            guard case .on(let settings) = routable, settings.handle == nil,
                let standard = StandardRoutables.feature(id: id)
            else { continue }
            for (key, patterns) in [("paths", settings.paths ?? []), ("customPaths", settings.customPaths)] {
                for (offset, text) in patterns.enumerated() {
                    try allowance.spend(1 + text.utf8.count, on: .routes)
                    // The patterns compiled a moment ago, when the table was built.
                    guard let pattern = try? RoutePattern(text) else { continue }  // as above
                    let missing = standard.missingParameters(in: pattern)
                    guard !missing.isEmpty else { continue }
                    let path = ConfigurationPath([.key("routables"), .key(id), .key(key), .index(offset + 1)])
                    try findings.add(
                        .inconsistent, severity: .warning, at: source.node(at: path)?.position, path: path,
                        "\(id) needs \(missing.joined(separator: " and ")), which this pattern does not give",
                        hint: "add :\(missing[0]) to the pattern; without it \(id) declines each link that has no "
                            + "such query item")
                }
            }
        }
    }

    /// Where a pattern was written: at its list element, or at the routable whose standard path it is.
    private func place(
        of route: RouteDeclaration
    ) -> (node: ConfigurationNode?, position: SourcePosition?, path: ConfigurationPath) {
        let routable = ConfigurationPath([.key("routables"), .key(route.routableID)])
        let path = definition.routables[route.routableID]?.path(of: route.routableID, index: route.index) ?? routable
        let node = source.node(at: path)
        return (node, node?.position ?? source.node(at: routable)?.position, path)
    }
}

extension RoutableSettings {
    /// The settings as the router's configuration.
    var configuration: RoutableConfiguration {
        let wait: PreconditionRequirement =
            switch waitForPreconditions {
            case nil, .all(true)?: .all
            case .all(false)?: .none
            case .named(let names)?: .named(names)
            }
        return RoutableConfiguration(
            paths: paths, customPaths: customPaths, waitForPreconditions: wait)
    }
}
