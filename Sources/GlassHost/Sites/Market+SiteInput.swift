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
    /// The inputs for the site and app files of the selected market, or of all markets.
    func siteInputs(all: Bool) throws -> [SiteInput.Market] {
        try reporting {
            let source = try markets()
            let ids = try all ? source.marketIDs() : [options.marketID]
            var identities: [MarketIdentity] = []
            let inputs = try console.map(ids, "loading") { id in
                let market = try source.load(id)
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
