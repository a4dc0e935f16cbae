import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import GlassAuthoring

extension Market {
    /// The input for the site and app files of the market's routes.
    var siteInput: SiteInput.Market {
        let info = config.appInfo
        let table = deepLinker.table
        return SiteInput.Market(
            id: id, universalHosts: definition.deepLinking.universalLinks, schemes: definition.deepLinking.schemes,
            outboundSchemes: definition.deepLinking.outboundSchemes,
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
    private static let siteKeys: [ConfigurationPath] = [
        "deepLinking.outboundSchemes", "deepLinking.schemes", "deepLinking.universalLinks",
        "platform.appInfo.android", "platform.appInfo.bundleIdentifier", "platform.appInfo.teamIdentifier",
    ]

    /// Refuses a market whose identifiers differ from build to build, unless the user said which build is meant: a file
    /// for another build would look the same. Routes may depend on more, and are those of the situation.
    private func requireSituation(of market: Market) throws {
        guard market.dependsOnSituation, let situations = market.origin.situations else { return }
        let given = try requestedContext().names
        let budget = budget()
        guard let varied = try VariedMarket(situations, budget: budget) else { return }
        for path in Self.siteKeys {
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
        guard !console.isQuiet else { return }
        let deciding = try varied.variedPaths.filter { $0.elements.first == .key("routables") }
            .flatMap { try varied.alternatives(at: $0).flatMap(\.condition.attributes) }
        let personal = market.attributes.filter(\.isPersonal).map(\.name)
        let open = Set(deciding).subtracting(given).sorted()
        guard !open.isEmpty else { return }
        let shown = market.context.values.filter { open.contains($0.key) && !personal.contains($0.key) }
        console.error(
            "warning: the routes of market \(market.id.quotedForMessage) depend on \(open.listed); these are the routes "
                + "with \(MarketContext(shown).commandText)")
    }

    /// The inputs for the site and app files of the selected market, or of all markets.
    func siteInputs(all: Bool) throws -> [SiteInput.Market] {
        try reporting {
            let source = try markets()
            let ids = try all ? source.marketIDs() : [options.marketID]
            var identities: [MarketIdentity] = []
            let inputs = try console.map(ids, "loading") { id in
                let market = try source.load(id)
                try requireSituation(of: market)
                identities.append(MarketIdentity(market))
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
