import GlassBase
import GlassMarkets
import GlassSchema

/// The comparison of the links that a market's site files make phones open in the app.
extension MarketComparison {
    mutating func compareSites() throws {
        guard let old = reviewer.siteInput(base), let new = reviewer.siteInput(head), old != new,
            let before = try files(of: old), let after = try files(of: new)
        else { return }
        tell(try before.claims(missingFrom: after, budget: budget), .siteLost)
        tell(try after.claims(missingFrom: before, budget: budget), .siteAdded)
    }

    /// The files of a market; nil if they cannot be generated, which `export` reports.
    private func files(of input: SiteInput.Market) throws -> SiteFiles? {
        do {
            return try SiteFiles(SiteInput(markets: [input]), budget: budget)
        } catch {
            if let exceeded = budget.exceeded { throw exceeded }
            return nil
        }
    }

    private mutating func tell(_ claims: [ClaimedLink], _ rule: ChangeRule) {
        struct File: Hashable {
            let target: SiteTarget
            let host: String
            let app: String
        }
        let files = Dictionary(grouping: claims) { File(target: $0.target, host: $0.host, app: $0.app) }
        let path: ConfigurationPath = "deepLinking.universalLinks"
        func order(_ file: File) -> (String, String, String) { (file.target.rawValue, file.host, file.app) }
        for (file, links) in files.sorted(by: { order($0.key) < order($1.key) }) {
            let name = file.target == .siteAssociation ? "apple-app-site-association" : "assetlinks.json"
            let verb = rule == .siteLost ? "no longer lets" : "lets"
            add(
                PendingChange(
                    rule, market: id, path: path, subject: "\(file.target.rawValue) \(file.host) \(file.app)",
                    values: links.map(\.pattern),
                    "\(name) of \(file.host) \(verb) \(file.app) open the links of \(counted(links.count, "route"))"
                        + (rule == .siteLost ? "" : ", which is new"),
                    before: base.source.node(at: path)?.position, after: head.source.node(at: path)?.position,
                    witness: links.first?.link))
        }
    }
}
