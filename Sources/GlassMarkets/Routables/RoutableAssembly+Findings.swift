import GlassBase
import GlassContainer
import GlassDeepLinking
import GlassSchema

/// The findings about routables and their routes.
extension RoutableAssembly {
    func routable(_ id: String, _ more: ConfigurationPath.Element...) -> ConfigurationPath {
        parts.written(ConfigurationPath([.key("routables"), .key(id)] + more))
    }

    func report(
        _ issue: ShowRoutableError.Issue, of id: String, _ show: DeclarativeDestination
    ) throws(WorkBudget.Exceeded) {
        let path: ConfigurationPath
        switch issue {
        case .template(let error, let parameter):
            path = routable(id, .key("show"), .key("parameters"), .key(parameter))
            let node = source.node(at: path)
            return try findings.add(
                .invalidFormat, at: node.flatMap { place(error.offset, $0) } ?? node?.position, path: path,
                error.description)
        case .unknownName(let name, let parameter, let names):
            // A pattern with this parameter has an error of its own.
            if writes(parameter: name, inPatternsOf: id) { return }
            path = routable(id, .key("show"), .key("parameters"), .key(parameter))
            let advice =
                try Suggestion.match(for: name, in: names, budget: budget)
                .map {
                    Advice(
                        "did you mean {\($0.name)}?",
                        .placeholder(name, meant: $0.name, isUnambiguous: $0.isUnambiguous))
                }
                ?? Advice(
                    "write {?\(name)} for a query item", .placeholder(name, meant: "?\(name)", isUnambiguous: true))
            let finding = Finding(
                .inconsistent, at: source.node(at: path)?.position, path: path, subject: "parameter \(name)",
                "no pattern of this routable has a parameter \(name.quotedForMessage)", advice: advice)
            return append(
                finding, changedBy: [routable(id, .key("paths")), routable(id, .key("customPaths"))],
                hint: "add the parameter :\(name) to a pattern, or change show")
        case .unknownRequirement(let name, let names):
            let index = (show.requires.firstIndex(of: name) ?? 0) + 1
            path = routable(id, .key("show"), .key("requires"), .index(index))
            let finding = Finding(
                .inconsistent, at: source.node(at: path)?.position, path: path, subject: "requirement \(name)",
                "show has no parameter \(name.quotedForMessage), so every link would be declined",
                advice: try .nearest(to: name, in: names, budget: budget)
                    ?? Advice("add it to the parameters, or remove it here"))
            let parameters = routable(id, .key("show"), .key("parameters"))
            // Without parameters of its own, it shows those of its patterns.
            let changes =
                show.parameters == nil
                ? [parameters, routable(id, .key("paths")), routable(id, .key("customPaths"))]
                : [parameters.appending(name), parameters]
            return append(
                finding, changedBy: changes, hint: "add a parameter with this name to show, or change requires")
        case .tooManyParameters: path = routable(id, .key("show"), .key("parameters"))
        case .parametersWithoutScreen, .nothingToShow: path = routable(id, .key("show"))
        }
        try findings.add(.inconsistent, at: source.node(at: path)?.position, path: path, issue.description)
    }

    /// Adds a finding about a name that must exist elsewhere. If a later layer changed that, the finding is reported
    /// there, with advice for that position: the layer with the name may be correct by itself.
    private func append(_ finding: Finding, changedBy paths: [ConfigurationPath], hint: String) {
        var finding = finding
        finding.related = paths.compactMap { order.removal(of: $0) ?? source.node(at: $0)?.position }
            .map { Finding.RelatedPosition($0, ofClashWith: "the change") }
        var moved = order.atChange(finding)
        if moved.position == finding.position {
            moved.related = []
        } else {
            moved.related = Array(moved.related.prefix(1))
            moved.hint = hint
        }
        findings.append(moved)
    }

    func reportUnknownPreconditions(
        _ settings: RoutableSettings, of id: String
    ) throws(WorkBudget.Exceeded) {
        guard case .named(let names)? = settings.waitForPreconditions, let known = preconditions else { return }
        for (offset, name) in names.enumerated() {
            try budget.spend(known.count, on: .routes)
            guard !known.contains(name) else { continue }
            let path = routable(id, .key("waitForPreconditions"), .index(offset + 1))
            let finding = Finding(
                .unknownPrecondition, at: source.node(at: path)?.position, path: path, subject: name,
                "the app has no precondition \(name.quotedForMessage), so these links would never open",
                advice: try .nearest(to: name, in: known, budget: budget)
                    ?? Advice(
                        (known.isEmpty ? "" : "the preconditions are \(known.joined(separator: ", ")); ")
                            + "a market declares its own with preconditions = { \(name) = { doc = \"…\" } }"))
            append(
                finding, changedBy: [ConfigurationPath([.key("preconditions"), .key(name)])],
                hint: "keep the precondition, or change waitForPreconditions")
        }
    }

    /// The existing preconditions, including those with an error; nil if the market's own cannot be read.
    var preconditions: [String]? {
        let path: ConfigurationPath = "preconditions"
        var own: [String] = []
        switch source.node(at: path)?.value {
        case .map(let entries)?: own = entries.keys.sorted()
        case nil,
            .emptyTable? where !parts.isBroken(path):
            break
        default: return nil
        }
        return schema.module.preconditions.map(\.name) + own
    }

    /// Reports preconditions of the market that the app already has.
    func reportKnownPreconditions() throws(WorkBudget.Exceeded) {
        let known = Set(schema.module.preconditions.map(\.name))
        for name in definition.preconditions.keys.sorted() {
            try budget.spend(on: .routes)
            guard known.contains(name) else { continue }
            let path = ConfigurationPath([.key("preconditions"), .key(name)])
            let node = source.node(at: path)
            try findings.add(
                .duplicate, at: node?.keyPosition ?? node?.position, path: path,
                "the app already has a precondition with this name", hint: "remove it here, or give it another name")
        }
    }

    func reportUnknownHandler(_ name: String, of id: String) throws(WorkBudget.Exceeded) {
        let path = routable(id, .key("handler"))
        let known = schema.module.handlers.map(\.name)
        let budget = budget  // copied for the autoclosure of the hint
        try findings.add(
            .unknownHandler, at: source.node(at: path)?.position, path: path,
            "the app has no handler \(name.quotedForMessage)",
            advice: try .nearest(to: name, in: known, budget: budget)
                ?? Advice(
                    known.isEmpty
                        ? "the app has no handlers: write show = { … }"
                        : "the handlers are \(known.joined(separator: ", "))"))
    }

    func reportUnknown(_ id: String) throws(WorkBudget.Exceeded) {
        let path = routable(id)
        let node = source.node(at: path)
        let known = schema.module.features.map(\.id)
        let budget = budget  // copied for the autoclosure of the hint
        try findings.add(
            .unknownRoutable, at: node?.keyPosition ?? node?.position, path: path,
            "unknown routable: the app does not define it, and the market defines no show or handler for it",
            advice: try .nearest(to: id, in: known, budget: budget)
                ?? Advice("write show = { screen = \"\(id)\" }"))
    }

    /// Reports that a market disables a routable that neither the app nor a base market has. Probably another one is
    /// meant.
    func reportUnknownDisabledRoutable(_ id: String) throws(WorkBudget.Exceeded) {
        let path = routable(id)
        guard schema.routables[id] == nil, let node = source.node(at: path), node.overridden.isEmpty else { return }
        let known = schema.module.features.map(\.id) + definition.routables.keys.filter { $0 != id }.sorted()
        let budget = budget  // copied for the autoclosure of the hint
        try findings.add(
            .unknownRoutable, at: node.keyPosition ?? node.position, path: path,
            "no routable with this id exists",
            advice: try .nearest(to: id, in: known, budget: budget) ?? Advice("remove it"))
    }

    /// Reports services that the handler of a routable's links requires but that are not registered.
    func reportMissingServices(
        _ types: [Any.Type], of id: String, in container: Container?
    ) throws(WorkBudget.Exceeded) -> Bool {
        // Without a container, the market is only validated, and has another error.
        guard let container else { return false }
        try budget.spend(types.count, on: .routes)
        let missing = types.filter { !container.isRegistered($0) }
        for type in missing {
            try findings.add(
                .missingService, at: source.node(at: routable(id))?.position, path: routable(id), subject: "\(type)",
                "its links need \(type), which is not registered",
                hint: "add a Service for it to the module, or disable this routable")
        }
        return !missing.isEmpty
    }

    /// Reports the required keys of a routable that is just `true`: without a table, the keys have not been validated
    /// yet.
    func reportMissingKeys(
        _ value: ConfigurationValue, of id: String, _ entry: RoutableEntry
    ) throws(WorkBudget.Exceeded) -> Bool {
        guard case .boolean = value, let keys = entry.section?.keys.filter(\.isRequired), !keys.isEmpty else {
            return false
        }
        try budget.spend(keys.count, on: .routes)
        for key in keys {
            try findings.add(
                .missingKey, at: source.node(at: routable(id))?.position, path: routable(id, .key(key.name)),
                "missing: expected \(key.type.expectation)", hint: "write a table with \(key.exampleLine)")
        }
        return true
    }

    /// Whether the text of a pattern contains a parameter, even if the pattern is invalid.
    private func writes(parameter name: String, inPatternsOf id: String) -> Bool {
        ["paths", "customPaths"].contains { key in
            guard case .list(let nodes)? = source.node(at: routable(id, .key(key)))?.value else { return false }
            return nodes.contains { node in
                (node.value.stringValue ?? "").split(separator: ":", omittingEmptySubsequences: false).dropFirst()
                    .contains { $0.prefix { $0.isLetter || $0.isNumber || $0 == "_" } == name }
            }
        }
    }

    func reportMissingPaths(of id: String) throws(WorkBudget.Exceeded) {
        let path = ConfigurationPath([.key("routables"), .key(id)])
        try findings.add(
            .missingKey, at: source.node(at: path)?.position, path: path.appending("paths"),
            "missing: a routable that the market adds has no standard paths",
            advice: Advice("write paths = { \"\(id)\" }", .entry("paths = { \"\(id)\" }")))
    }

    func report(_ issue: RouteTableError.Issue) throws(WorkBudget.Exceeded) {
        switch issue {
        case .pattern(let route, let error):
            let (node, position, path) = place(of: route)
            // After `  hint: `, so that the carets remain below the pattern.
            let carets = error.caretLines.split(separator: "\n", omittingEmptySubsequences: false)
                .joined(separator: "\n        ")
            let meant = route.pattern.pathOfURL
            try findings.add(
                .invalidPattern, at: node.flatMap { place(error.offset, $0) } ?? position,
                path: path, subject: route.pattern, error.description,
                advice: Advice(
                    (meant.map { "write \($0.quotedForMessage)\n        " } ?? "") + carets,
                    meant.map { .spelling(route.pattern, meant: $0, isUnambiguous: false) }))
        case .unreachable(let route, let segments, let limit):
            let (_, position, path) = place(of: route)
            try findings.add(
                .invalidPattern, at: position, path: path, subject: route.pattern,
                "pattern \(route.pattern.quotedForMessage) has \(segments) segments, but a link may have "
                    + "at most \(limit)",
                hint: "shorten it")
        case .conflict(let one, let two, let witness):
            // A market's own route conflicts with an inherited one, and not the other way around.
            let isSwapped = order.isLater(place(of: one).position, than: place(of: two).position)
            let (first, second) = isSwapped ? (two, one) : (one, two)
            let there = place(of: first).position
            let other = there.map { " (\($0))" } ?? ""
            let (_, position, path) = place(of: second)
            try findings.add(
                .routeConflict, at: position, path: path,
                subject: "\(second.pattern) \(first.routableID) \(first.pattern)",
                "\(second.pattern.quotedForMessage) conflicts with "
                    + "\(first.pattern.quotedForMessage) of \(first.routableID)\(other): both match "
                    + "\(witness.quotedForMessage) with equal rank",
                hint: "change or remove one of them",
                related: there.map { Finding.RelatedPosition($0, ofClashWith: "the other pattern") })
        case .tooManyVisits(_, _, _, let routes):
            let place = routes.first.map(place)
            try findings.add(
                .routeConflict, at: place?.position, path: place?.path ?? "routables",
                subject: "visits \(routes.map(\.pattern).joined(separator: " "))", issue.description,
                hint: "make some of them literal")
        case .exceeded(let text):
            try findings.add(.limit, at: nil, path: "routables", text)  // callers throw it before
        }
    }

    /// Reports the routes that no link reaches.
    func reportShadowedRoutes(in table: RouteTable) throws(WorkBudget.Exceeded) {
        for case .shadowed(let route, let other, let witness) in try table.findings(budget: budget) {
            let (shadowed, taking) = (place(of: route), place(of: other))
            let isTakenHere = order.isLater(taking.position, than: shadowed.position)
            let (here, there) = isTakenHere ? (taking, shadowed) : (shadowed, taking)
            try findings.add(
                .routeShadowed, severity: .warning, at: here.position, path: here.path,
                subject: "\(route.pattern) \(other.routableID) \(other.pattern)",
                "no link reaches \(route.pattern.quotedForMessage)\(isTakenHere ? " of \(route.routableID)" : ""): "
                    + "\(witness.quotedForMessage) matches \(other.pattern.quotedForMessage) of "
                    + "\(other.routableID) instead",
                hint: "remove it, or the more specific routes",
                related: there.position.map { Finding.RelatedPosition($0, ofClashWith: "the other pattern") })
        }
    }

    /// Reports the routes whose universal links all stay in the browser. They still open by the market's schemes, which
    /// may be meant.
    func reportRoutesInBrowser(in table: RouteTable) throws(WorkBudget.Exceeded) {
        let links = definition.deepLinking
        guard !links.browser.isEmpty, !links.universalLinks.isEmpty else { return }
        let key: ConfigurationPath = "deepLinking.browser"
        for (offset, path) in links.browser.map(BrowserPath.init).enumerated() {
            for (route, pattern) in zip(table.declarations, table.patterns) {
                try budget.spend(1 + pattern.segments.count, on: .routes)
                guard path.keeps(pattern) else { continue }
                let place = parts.written(key.appending(index: offset + 1))
                try findings.add(
                    .routeInBrowser, severity: .warning, at: source.node(at: place)?.position, path: place,
                    subject: "\(path.text) \(route.routableID) \(route.pattern)",
                    "\(path.text.quotedForMessage) keeps all universal links of \(route.pattern.quotedForMessage) of "
                        + "\(route.routableID) in the browser: "
                        + (links.schemes.isEmpty ? "no link opens it" : "only links with the market's schemes open it"),
                    hint: "remove it, or accept the warning if this is intended",
                    related: self.place(of: route).position.map {
                        Finding.RelatedPosition($0, ofClashWith: "the route")
                    })
            }
        }
    }

    /// Reports patterns that never supply a parameter that the standard routable requires: it would decline every such
    /// link.
    func reportDeclinedPaths() throws(WorkBudget.Exceeded) {
        for (id, routable) in definition.routables.sorted(by: { $0.key < $1.key }) {
            guard case .on(let settings) = routable, settings.show == nil, settings.handler == nil,
                settings.handle == nil, let standard = schema.routables[id]?.feature
            else { continue }
            for (key, patterns) in [("paths", settings.paths ?? []), ("customPaths", settings.customPaths)] {
                for (offset, text) in patterns.enumerated() {
                    try budget.spend(1 + text.utf8.count, on: .routes)
                    // The patterns have already compiled, when the table was built.
                    guard let pattern = try? RoutePattern(text) else { continue }  // as above
                    let missing = standard.missingParameters(in: pattern)
                    guard !missing.isEmpty else { continue }
                    let path = self.routable(id, .key(key), .index(offset + 1))
                    try findings.add(
                        .inconsistent, severity: .warning, at: source.node(at: path)?.position, path: path,
                        subject: "needs \(missing.joined(separator: " "))",
                        "\(id) needs \(missing.joined(separator: " and ")), which this pattern does not provide",
                        hint: "add :\(missing[0]) to the pattern; otherwise, \(id) declines each link without "
                            + "this query item")
                }
            }
        }
    }

    /// The position of a pattern: that of its list element or, for a standard path, of the `unset` that restored it, or
    /// else of its routable.
    func place(
        of route: RouteDeclaration
    ) -> (node: ConfigurationNode?, position: SourcePosition?, path: ConfigurationPath) {
        let routable = ConfigurationPath([.key("routables"), .key(route.routableID)])
        let standard = hasKnownPaths(of: route.routableID) ? schema.routables[route.routableID]?.feature.paths.count : 0
        let path = parts.written(
            definition.routables[route.routableID]?.path(
                of: route.routableID, index: route.index, standard: standard ?? 0) ?? routable)
        let node = source.node(at: path)
        let restored = path == routable ? order.removal(of: routable.appending("paths")) : nil
        return (node, restored ?? node?.position ?? source.node(at: routable)?.position, path)
    }
}

extension String {
    /// The part of a URL that a pattern describes: `home/:tab` of `walmart://home/:tab` and of
    /// `https://www.walmart.com/home/:tab`. Nil if nothing is left, and for other text.
    fileprivate var pathOfURL: String? {
        guard let range = firstRange(of: "://") else { return nil }
        let isWeb = self[..<range.lowerBound].lowercased().hasPrefix("http")
        let rest = self[range.upperBound...]
        let path = isWeb ? rest.drop { $0 != "/" }.drop { $0 == "/" } : rest
        return path.isEmpty || path.contains("://") ? nil : String(path)
    }
}
