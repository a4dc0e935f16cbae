package import GlassBase
package import GlassDeepLinking
package import GlassSchema

extension Market {
    /// The findings about links of the base market that open something else here, or nothing.
    ///
    /// If the market disables a routable with `false`, or gives it `paths` of its own, the loss of links is intentional
    /// and not reported. If a list of `customPaths` replaces the base market's list, it is reported.
    package func findings(against base: Market) -> [Finding] {
        do {
            return try findings(against: base, budget: .unlimited)
        } catch {
            preconditionFailure("a budget without limits ran out: \(error)")
        }
    }

    /// The findings about links of the base market, within a budget.
    package func findings(against base: Market, budget: WorkBudget) throws(WorkBudget.Exceeded) -> [Finding] {
        let findings = FindingList()
        for found in try deepLinker.table.findings(against: base.deepLinker.table, budget: budget) {
            switch found {
            case .shadowed: continue
            case .moved(let route, let here, let witness):
                let (position, path) = place(of: here)
                let there = "\(route.routableID) in \(base.id)\(base.origin(of: route))"
                try findings.add(
                    .routeMoved, severity: .warning, at: position, path: path,
                    subject: "\(here.pattern) \(base.id) \(route.routableID) \(route.pattern)",
                    "\"\(witness)\" opens \(here.routableID) here, but \(there)",
                    hint: "change \"\(here.pattern)\" if this is unintended", related: base.related(to: route))
            case .lost(let route, let witness):
                guard case .on(let settings)? = definition.routables[route.routableID] else { continue }
                if let paths = settings.paths, paths != base.paths(of: route.routableID) { continue }
                let path = ConfigurationPath([.key("routables"), .key(route.routableID)])
                let there = "\(route.routableID) in \(base.id)\(base.origin(of: route))"
                try findings.add(
                    .routeLost, severity: .warning, at: source.node(at: path)?.position, path: path,
                    subject: "\(base.id) \(route.pattern)",
                    "\"\(witness)\" opens nothing here, but \(there)",
                    hint: "add \"\(route.pattern)\" if this is unintended", related: base.related(to: route))
            }
        }
        return findings.sorted().withLines(of: origin.files)
    }

    /// The position of a pattern: that of its list element or, for a standard path, of its routable.
    package func place(of route: RouteDeclaration) -> (position: SourcePosition?, path: ConfigurationPath) {
        let routable = ConfigurationPath([.key("routables"), .key(route.routableID)])
        let path =
            definition.routables[route.routableID]?.path(
                of: route.routableID, index: route.index,
                standard: schema.routables[route.routableID]?.feature.paths.count ?? 0) ?? routable
        return (source.node(at: path)?.position ?? source.node(at: routable)?.position, path)
    }

    /// The paths that the market sets for a routable; nil if it has the standard ones.
    private func paths(of routable: String) -> [String]? {
        guard case .on(let settings)? = definition.routables[routable] else { return nil }
        return settings.paths
    }

    private func related(to route: RouteDeclaration) -> Finding.RelatedPosition? {
        place(of: route).position.map { Finding.RelatedPosition($0, ofClashWith: "the route of \(id)") }
    }

    private func origin(of route: RouteDeclaration) -> String {
        place(of: route).0.map { " (\($0))" } ?? ""
    }
}
