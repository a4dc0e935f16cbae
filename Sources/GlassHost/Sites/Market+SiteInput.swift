import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import GlassSites
import GlassAuthoring

extension Market {
    /// The input for the site and app files of the market's routes.
    var siteInput: SiteInput.Market {
        let info = config.appInfo
        let table = deepLinker.table
        return SiteInput.Market(
            id: id, universalHosts: definition.deepLinking.universalLinks, schemes: definition.deepLinking.schemes,
            outboundSchemes: definition.deepLinking.outboundSchemes,
            browser: definition.deepLinking.browser.map(BrowserPath.init),
            app: SiteInput.App(
                teamIdentifier: info.teamIdentifier, bundleIdentifier: info.bundleIdentifier,
                androidPackage: info.android?.package ?? "", certificateDigests: info.android?.certificateDigests ?? []),
            routes: zip(table.declarations, table.patterns).map { declaration, pattern in
                SiteInput.Route(routableID: declaration.routableID, pattern: pattern)
            })
    }
}

extension Session {
    /// The keys of the exported files, except for the routes.
    private static func siteKeys(of schema: MarketSchema) -> [ConfigurationPath] {
        let links: [ConfigurationPath] = [
            "deepLinking.browser", "deepLinking.outboundSchemes", "deepLinking.schemes", "deepLinking.universalLinks",
        ]
        // The table of the Android app, with its certificates.
        let android = schema.paths(.androidPackage).map { ConfigurationPath(Array($0.elements.dropLast())) }
        return links + android + schema.paths(.bundleIdentifier) + schema.paths(.teamIdentifier)
    }

    /// Refuses a market whose identifiers differ from build to build, unless the user said which build is meant: a file
    /// for another build would look the same. Routes may depend on more, and are those of the situation.
    ///
    /// - Parameter warnsAboutRoutes: Whether to say which situation the routes are those of, if they depend on it.
    private func requireSituation(of market: Market, warnsAboutRoutes: Bool) throws {
        guard market.dependsOnSituation, let situations = market.origin.situations else { return }
        let given = try requestedContext().names
        let budget = budget()
        guard let varied = try VariedMarket(situations, budget: budget) else { return }
        for path in Self.siteKeys(of: market.schema) {
            var values: [(value: ConfigurationValue?, context: MarketContext)] = []
            var names: Set<String> = []
            for alternative in try varied.alternatives(at: path) {
                let free = MarketContext(alternative.context.values.filter { !given.contains($0.key) })
                names.formUnion(free.values.keys)
                let value = try market.with(free).effective(at: path, spending: budget, on: .exporting)?.value
                if !values.contains(where: { $0.value == value }) { values.append((value, free)) }
            }
            guard values.count > 1 else { continue }
            let list = values.map { "\($0.value?.written ?? "nothing") with --context \($0.context.commandText)" }
            throw CommandFailure(
                status: .usage,
                "market \(market.id.quotedForMessage): \(path) depends on \(names.sorted().listed); choose one with "
                    + "--context: \(list.joined(separator: "; "))")
        }
        guard warnsAboutRoutes, !console.isQuiet else { return }
        let deciding = try varied.variedPaths.filter(Self.changesRoutes)
            .flatMap { try varied.alternatives(at: $0).flatMap(\.condition.attributes) }
        let personal = market.attributes.filter(\.isPrivate).map(\.name)
        let open = Set(deciding).subtracting(given).sorted()
        guard !open.isEmpty else { return }
        let shown = market.context.values.filter { open.contains($0.key) && !personal.contains($0.key) }
        console.error(
            "warning: the routes of market \(market.id.quotedForMessage) depend on \(open.listed); these are the routes "
                + "with \(MarketContext(shown).commandText)")
    }

    /// Whether a key decides which routes there are: a routable, its `paths`, or its `customPaths`. Its other keys decide
    /// what happens to a link, which is in no file.
    private static func changesRoutes(_ path: ConfigurationPath) -> Bool {
        guard path.elements.first == .key("routables") else { return false }
        return path.elements.count < 3 || [.key("paths"), .key("customPaths")].contains(path.elements[2])
    }

    /// The inputs for the site and app files of the selected market, or of all markets.
    ///
    /// - Parameter containRoutes: Whether the files contain routes, not only identifiers.
    func siteInputs(all: Bool, containRoutes: Bool = true) throws -> [SiteInput.Market] {
        try reporting {
            let source = try markets()
            let ids = try all ? source.marketIDs() : [marketID()]
            var identities: [MarketIdentity] = []
            let inputs = try map(ids, of: source, "loading") { market in
                try requireSituation(of: market, warnsAboutRoutes: containRoutes)
                identities.append(MarketIdentity(ValidValues(market)))
                return market.siteInput
            }
            // One file for two markets with a shared identifier would give one app the links of the other.
            let shared = identities.clashes(severity: .error).findings(by: source)
            guard shared.isEmpty else {
                throw CommandFailure(status: .no, shared.map { console.text(of: $0) }.joined(separator: "\n"))
            }
            return inputs
        }
    }
}
