import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSiteFiles

extension Market {
    /// The input for the site and app files of the market's routes.
    var siteInput: SiteInput.Market {
        let info = config.appInfo
        let table = deepLinker.table
        return SiteInput.Market(
            id: id, universalHosts: definition.deepLinking.universalLinks, schemes: definition.deepLinking.schemes,
            app: SiteInput.App(
                teamIdentifier: info.teamIdentifier, bundleIdentifier: info.bundleIdentifier,
                androidPackage: info.android.package, certificateDigests: info.android.certificateDigests),
            routes: zip(table.declarations, table.patterns).map { declaration, pattern in
                SiteInput.Route(routableID: declaration.routableID, pattern: pattern)
            })
    }
}
