import GlassBase
import GlassContainer
import GlassDeepLinking
import GlassSchema
import LuaBridge

/// Builds a market's routables and registers them with its deep linker, or says why that cannot be.
struct RoutableAssembly {
    let definition: MarketDefinition
    let source: ConfigurationNode
    /// The files that the market was read from.
    let files: [MarketSource]
    let state: LuaState
    let limits: LuaLimits

    /// Registers the routables of the market.
    ///
    /// - Parameters:
    ///   - deepLinker: The market's deep linker.
    ///   - container: The market's container.
    /// - Returns: What is wrong with ids, patterns and routes, all at once. With an error among it some routables are
    ///   missing, and the deep linker is of no use.
    func register(in deepLinker: any DeepLinker, container: Container) -> [Finding] {
        var routables: [any Routable] = []
        var findings: [Finding] = []
        for (id, routable) in definition.routables.sorted(by: { $0.key < $1.key }) {
            guard case .on(let settings) = routable else { continue }
            let standard = StandardRoutables.definition(id: id)
            if let handle = settings.handle?.value.payload as? LuaFunction {
                var configuration = settings.configuration
                configuration.paths = configuration.paths ?? standard?.paths
                routables.append(
                    LuaRoutable(
                        id: id, configuration: configuration, handle: handle, state: state, limits: limits))
                if configuration.paths == nil, configuration.customPaths.isEmpty {
                    findings.append(missingPaths(of: id))
                }
            } else if let standard {
                routables.append(standard.makeRoutable(container: container, configuration: settings.configuration))
            } else {
                findings.append(unknown(id))
            }
        }
        // Also beside a wrong id: whoever mends it wants to hear of the patterns in the same run.
        do {
            try deepLinker.register(routables: routables)
            deepLinker.declarePreconditions(MarketPreconditions.names(of: definition))
            return findings + declinedPaths() + shadowedRoutes(in: deepLinker)
        } catch {
            return findings + error.issues.map(finding)
        }
    }

    // MARK: Findings

    private func unknown(_ id: String) -> Finding {
        let node = source.node(at: ConfigurationPath([.key("routables"), .key(id)]))
        return Finding(
            .unknownRoutable, at: node?.keyPosition ?? node?.position,
            path: ConfigurationPath([.key("routables"), .key(id)]),
            "no standard routable has this id, and without a handle it is no routable of the market's own",
            hint: Suggestion.nearest(to: id, in: StandardRoutables.all.map(\.id)).map { "did you mean \"\($0)\"?" }
                ?? "give it handle = function(link, state) … end")
    }

    private func missingPaths(of id: String) -> Finding {
        let path = ConfigurationPath([.key("routables"), .key(id)])
        return Finding(
            .missingKey, at: source.node(at: path)?.position, path: path.appending("paths"),
            "missing: a routable of the market's own has no standard paths",
            hint: "write paths = { \"\(id)\" }")
    }

    private func finding(_ issue: RouteTableError.Issue) -> Finding {
        switch issue {
        case .pattern(let route, let error):
            let (position, path) = place(of: route)
            let caret = position.map { place(ofByte: error.offset, in: route.pattern, writtenAt: $0) }
            // Behind `  hint: `, so that the carets stay under the pattern.
            let lines = error.caretLines.split(separator: "\n", omittingEmptySubsequences: false)
            return Finding(
                .invalidPattern, at: caret, path: path, error.description,
                hint: lines.joined(separator: "\n        "))
        case .unreachable(let route, let segments, let limit):
            let (position, path) = place(of: route)
            return Finding(
                .invalidPattern, at: position, path: path,
                "pattern \(route.pattern.quotedForMessage) has \(segments) segments, and a link has at most \(limit)",
                hint: "shorten it")
        case .conflict(let first, let second, let witness):
            let (firstPosition, _) = place(of: first)
            let (position, path) = place(of: second)
            let other = firstPosition.map { " (\($0))" } ?? ""
            return Finding(
                .routeConflict, at: position, path: path,
                "\(second.pattern.quotedForMessage) clashes with \(first.pattern.quotedForMessage) of \(first.routableID)\(other): both match "
                    + "\(witness.quotedForMessage) with equal rank",
                hint: "change or remove one of them")
        case .tooManyVisits(_, _, _, let routes):
            let (position, path) = routes.first.map(place) ?? (nil, "routables")
            return Finding(
                .routeConflict, at: position, path: path, issue.description, hint: "make some of them literal")
        case .exceeded:
            return Finding(
                .routeConflict, at: source.node(at: "routables")?.position, path: "routables", issue.description)
        }
    }

    /// The routes that no link reaches. Only the router can tell; another deep linker is not asked.
    private func shadowedRoutes(in deepLinker: any DeepLinker) -> [Finding] {
        guard let router = deepLinker as? DeepLinkRouter else { return [] }
        return router.table.findings().compactMap { found in
            guard case .shadowed(let route, let other, let witness) = found else { return nil }
            let (position, path) = place(of: route)
            return Finding(
                .routeShadowed, severity: .warning, at: position, path: path,
                "no link reaches \(route.pattern.quotedForMessage): \(witness.quotedForMessage) goes to "
                    + "\(other.pattern.quotedForMessage) of \(other.routableID)",
                hint: "remove it, or the more specific routes")
        }
    }

    /// A standard routable declines links without the values that it needs; a pattern that never gives them is a trap.
    private func declinedPaths() -> [Finding] {
        definition.routables.sorted { $0.key < $1.key }.flatMap { id, routable -> [Finding] in
            guard case .on(let settings) = routable, settings.handle == nil,
                let standard = StandardRoutables.definition(id: id)
            else { return [] }
            let lists = [("paths", settings.paths ?? []), ("customPaths", settings.customPaths)]
            return lists.flatMap { key, patterns in
                patterns.enumerated().compactMap { offset, text -> Finding? in
                    // The patterns compiled a moment ago, when the table was built.
                    guard let pattern = try? RoutePattern(text) else { return nil }  // as above
                    let missing = standard.missingParameters(in: pattern)
                    guard !missing.isEmpty else { return nil }
                    let path = ConfigurationPath([.key("routables"), .key(id), .key(key), .index(offset + 1)])
                    return Finding(
                        .inconsistent, severity: .warning, at: source.node(at: path)?.position, path: path,
                        "\(id) needs \(missing.joined(separator: " and ")), which this pattern does not give",
                        hint: "add :\(missing[0]) to the pattern; without it \(id) declines each link that has no "
                            + "such query item")
                }
            }
        }
    }

    /// Where a pattern was written: at its list element, or at the routable whose standard path it is.
    private func place(of route: RouteDeclaration) -> (SourcePosition?, ConfigurationPath) {
        let routable = ConfigurationPath([.key("routables"), .key(route.routableID)])
        let path = definition.routables[route.routableID]?.path(of: route.routableID, index: route.index) ?? routable
        return (source.node(at: path)?.position ?? source.node(at: routable)?.position, path)
    }

    /// Where a byte of a pattern stands; the place of the pattern when its text is not written there but computed.
    private func place(ofByte offset: Int, in pattern: String, writtenAt position: SourcePosition) -> SourcePosition {
        guard let file = files.first(where: { $0.file == position.file }) else { return position }
        return LuaStringPlaces(of: pattern, at: position, in: file)?.position(of: offset) ?? position
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
