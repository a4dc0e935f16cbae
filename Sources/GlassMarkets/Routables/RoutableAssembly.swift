import GlassBase
import GlassContainer
import GlassDeepLinking
import GlassSchema

/// Builds a market's routables and registers them with its deep linker, or says why that cannot be.
struct RoutableAssembly {
    let definition: MarketDefinition
    let source: ConfigurationNode
    let schema: MarketSchema
    /// Where the bytes of the texts stand.
    let place: MarketAssembly.PlaceOfByte
    let allowance: Allowance
    /// What is wrong with ids, patterns and routes, all at once. With an error among it some routables are missing, and
    /// the deep linker is of no use.
    private(set) var findings: FindingList

    init(
        definition: MarketDefinition, source: ConfigurationNode, schema: MarketSchema,
        place: @escaping MarketAssembly.PlaceOfByte, allowance: Allowance, findings: FindingList
    ) {
        self.definition = definition
        self.source = source
        self.schema = schema
        self.place = place
        self.allowance = allowance
        self.findings = findings
    }

    /// Registers the routables of the market.
    ///
    /// - Parameters:
    ///   - deepLinker: The market's deep linker.
    ///   - container: The market's container.
    ///   - resolved: The market with the values of its secrets, for the keys of the routables.
    /// - Throws: `Allowance.Exceeded` when the routes take more work than they may.
    mutating func register(
        in deepLinker: any DeepLinker, container: Container, resolved: ConfigurationNode
    ) throws(Allowance.Exceeded) {
        var routables: [any Routable] = []
        for (id, routable) in definition.routables.sorted(by: { $0.key < $1.key }) {
            try allowance.spend(on: .routes)
            guard case .on(let settings) = routable, !isDropped(settings, id) else { continue }
            try reportUnknownPreconditions(settings, of: id)
            let entry = schema.routables[id]
            var configuration = settings.configuration
            configuration.paths = configuration.paths ?? entry?.feature.paths
            let value = resolved.node(at: ConfigurationPath([.key("routables"), .key(id)]))?.value ?? .emptyTable
            guard let handler = try handler(settings, id, entry, configuration, value, container) else { continue }
            routables.append(
                AssembledRoutable(
                    id: id, paths: entry?.feature.paths ?? [], configuration: configuration, handler: handler))
            if configuration.paths == nil, configuration.customPaths.isEmpty { try reportMissingPaths(of: id) }
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
        try declarePreconditions(in: deepLinker, container: container)
        try reportDeclinedPaths()
        try reportShadowedRoutes(in: deepLinker.table)
    }

    /// Whether a routable's links would be handled by what requires a service that the module dropped.
    private func isDropped(_ settings: RoutableSettings, _ id: String) -> Bool {
        if settings.show != nil || settings.handle != nil { return false }
        let requires = settings.handler.map { schema.handlers[$0]?.requires } ?? schema.routables[id]?.requires
        return schema.module.hasDropped(anyOf: requires ?? [])
    }

    private func declarePreconditions(
        in deepLinker: any DeepLinker, container: Container
    ) throws(Allowance.Exceeded) {
        try allowance.spend(schema.module.preconditions.count, on: .routes)
        deepLinker.declarePreconditions(schema.module.preconditions.map(\.name))
        for precondition in schema.module.preconditions {
            guard let holds = precondition.holds else { continue }
            // Weak: the container keeps the deep linker.
            deepLinker.addDeeplinkPreconditionHandler(identifier: precondition.name) { [weak container] in
                container.map(holds) ?? false
            }
        }
    }

    /// What handles the links of a routable: what the market says, or else the routable of the app; nil, and a finding,
    /// when there is neither.
    private mutating func handler(
        _ settings: RoutableSettings, _ id: String, _ entry: RoutableEntry?, _ configuration: RoutableConfiguration,
        _ value: ConfigurationValue, _ container: Container
    ) throws(Allowance.Exceeded) -> RoutableEntry.Handler? {
        if let show = settings.show { return try handler(show, id, configuration) }
        if let name = settings.handler {
            guard let handler = schema.handlers[name] else {
                try reportUnknownHandler(name, of: id)
                return nil
            }
            guard try !reportMissingServices(handler.requires, of: id, in: container) else { return nil }
            return .synchronous { [weak container] link, state in
                // The container goes with its deep linker, so a link that is handled has one.
                guard let container else { return false }
                return try handler.body(link, state, container)
            }
        }
        if let handle = settings.handle?.value.payload as? any LinkHandling {
            return .synchronous { try handle.handle($0, state: $1, routable: id) }
        }
        guard let entry else {
            try reportUnknown(id)
            return nil
        }
        guard try !reportMissingKeys(value, of: id, entry),
            try !reportMissingServices(entry.requires, of: id, in: container)
        else { return nil }
        return entry.make(container, value)
    }

    private mutating func handler(
        _ show: RoutableShow, _ id: String, _ configuration: RoutableConfiguration
    ) throws(Allowance.Exceeded) -> RoutableEntry.Handler? {
        for (name, text) in show.parameters ?? [:] {
            try allowance.spend(1 + (name.utf8.count + text.utf8.count) / 16, on: .routes)
        }
        do throws(ShowRoutableError) {
            let routable = try ShowRoutable(
                id: id, configuration: configuration, tab: show.tab, screen: show.screen,
                parameters: show.parameters, requires: show.requires)
            return .synchronous { routable.handleDeepLink($0, state: $1) }
        } catch {
            for issue in error.issues { try report(issue, of: id, show) }
            return nil
        }
    }

    // MARK: Findings

    private func routable(_ id: String, _ more: ConfigurationPath.Element...) -> ConfigurationPath {
        ConfigurationPath([.key("routables"), .key(id)] + more)
    }

    private mutating func report(
        _ issue: ShowRoutableError.Issue, of id: String, _ show: RoutableShow
    ) throws(Allowance.Exceeded) {
        let path: ConfigurationPath
        switch issue {
        case .template(let error, let parameter):
            path = routable(id, .key("show"), .key("parameters"), .key(parameter))
            let node = source.node(at: path)
            return try findings.add(
                .invalidFormat, at: node.flatMap { place(error.offset, $0) } ?? node?.position, path: path,
                error.description)
        case .unknownName(let name, let parameter, let names):
            path = routable(id, .key("show"), .key("parameters"), .key(parameter))
            let allowance = allowance  // for the closure of the hint
            return try findings.add(
                .inconsistent, at: source.node(at: path)?.position, path: path,
                "no pattern of this routable has a parameter \(name.quotedForMessage)",
                hint: try Suggestion.nearest(to: name, in: names, allowance: allowance)
                    .map { "did you mean {\($0)}?" } ?? "write {?\(name)} for a query item")
        case .unknownRequirement(let name, let names):
            let index = (show.requires.firstIndex(of: name) ?? 0) + 1
            path = routable(id, .key("show"), .key("requires"), .index(index))
            let allowance = allowance  // for the closure of the hint
            return try findings.add(
                .inconsistent, at: source.node(at: path)?.position, path: path,
                "no parameter that is shown has the name \(name.quotedForMessage), so every link would be declined",
                hint: try Suggestion.nearest(to: name, in: names, allowance: allowance)
                    .map { "did you mean \"\($0)\"?" } ?? "add it to the parameters, or remove it here")
        case .tooManyParameters: path = routable(id, .key("show"), .key("parameters"))
        case .parametersWithoutScreen, .nothingToShow: path = routable(id, .key("show"))
        }
        try findings.add(.inconsistent, at: source.node(at: path)?.position, path: path, issue.description)
    }

    private mutating func reportUnknownPreconditions(
        _ settings: RoutableSettings, of id: String
    ) throws(Allowance.Exceeded) {
        guard case .named(let names)? = settings.waitForPreconditions else { return }
        let known = schema.module.preconditions.map(\.name)
        let allowance = allowance  // for the closure of the hint
        for (offset, name) in names.enumerated() {
            try allowance.spend(known.count, on: .routes)
            guard !known.contains(name) else { continue }
            let path = routable(id, .key("waitForPreconditions"), .index(offset + 1))
            try findings.add(
                .unknownPrecondition, at: source.node(at: path)?.position, path: path,
                "the app has no precondition \(name.quotedForMessage), so its links would wait for ever",
                hint: try Suggestion.nearest(to: name, in: known, allowance: allowance)
                    .map { "did you mean \"\($0)\"?" }
                    ?? (known.isEmpty ? nil : "there are \(known.joined(separator: ", "))"))
        }
    }

    private mutating func reportUnknownHandler(_ name: String, of id: String) throws(Allowance.Exceeded) {
        let path = routable(id, .key("handler"))
        let known = schema.module.handlers.map(\.name)
        let allowance = allowance  // for the closure of the hint
        try findings.add(
            .unknownHandler, at: source.node(at: path)?.position, path: path,
            "the app has no handler \(name.quotedForMessage)",
            hint: try Suggestion.nearest(to: name, in: known, allowance: allowance).map { "did you mean \"\($0)\"?" }
                ?? (known.isEmpty
                    ? "it has none at all: write show = { … }" : "there are \(known.joined(separator: ", "))"))
    }

    private mutating func reportUnknown(_ id: String) throws(Allowance.Exceeded) {
        let path = routable(id)
        let node = source.node(at: path)
        let known = schema.module.features.map(\.id)
        let allowance = allowance  // for the closure of the hint
        try findings.add(
            .unknownRoutable, at: node?.keyPosition ?? node?.position, path: path,
            "the app has no routable of this id, and the market does not say what its links do",
            hint: try Suggestion.nearest(to: id, in: known, allowance: allowance)
                .map { "did you mean \"\($0)\"?" } ?? "write show = { screen = \"\(id)\" }")
    }

    /// Reports the required keys of a routable that is just `true`: what has no keys is not asked for them before.
    ///
    /// - Returns: Whether there are any.
    private mutating func reportMissingKeys(
        _ value: ConfigurationValue, of id: String, _ entry: RoutableEntry
    ) throws(Allowance.Exceeded) -> Bool {
        guard case .boolean = value, let keys = entry.section?.keys.filter(\.isRequired), !keys.isEmpty else {
            return false
        }
        try allowance.spend(keys.count, on: .routes)
        for key in keys {
            try findings.add(
                .missingKey, at: source.node(at: routable(id))?.position, path: routable(id, .key(key.name)),
                "missing: expected \(key.type.expectation)", hint: key.documentation)
        }
        return true
    }

    /// Reports the services that nobody registers and that the handler of a routable's links requires.
    ///
    /// - Returns: Whether there are any.
    private mutating func reportMissingServices(
        _ types: [Any.Type], of id: String, in container: Container
    ) throws(Allowance.Exceeded) -> Bool {
        try allowance.spend(types.count, on: .routes)
        let missing = types.filter { !container.isRegistered($0) }
        for type in missing {
            try findings.add(
                .missingService, at: source.node(at: routable(id))?.position, path: routable(id),
                "its links need \(type), which nobody registers",
                hint: "add a Service for it to the module, or leave this routable out")
        }
        return !missing.isEmpty
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
                .invalidPattern, at: node.flatMap { place(error.offset, $0) } ?? position,
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
            guard case .on(let settings) = routable, settings.show == nil, settings.handler == nil,
                settings.handle == nil, let standard = schema.routables[id]?.feature
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
        let path =
            definition.routables[route.routableID]?.path(
                of: route.routableID, index: route.index,
                standard: schema.routables[route.routableID]?.feature.paths.count ?? 0) ?? routable
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
