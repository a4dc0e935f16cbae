package import GlassBase
import GlassDeepLinking

/// A link that a site's file lets an app open.
package struct ClaimedLink: Sendable, Equatable {
    /// The file, and the system that reads it.
    package let target: SiteTarget
    /// The https host.
    package let host: String
    /// The app as named in the file: `TEAM.BUNDLE`, or the package.
    package let app: String
    /// The pattern of the route that the link was derived from.
    package let pattern: String
    /// The link.
    package let link: String
}

extension SiteFiles {
    /// The links that these files let an app open, but other files for the same hosts do not, although one of their
    /// markets still routes them.
    package func claims(missingFrom other: SiteFiles, budget: WorkBudget) throws(WorkBudget.Exceeded) -> [ClaimedLink] {
        var found: [ClaimedLink] = []
        for rules in association where other.hosts.contains(rules.unit.host) {
            let app = appIdentifier(of: rules.unit)
            let others = other.association.filter {
                $0.unit.host == rules.unit.host && other.appIdentifier(of: $0.unit) == app
            }
            found += try links(of: rules.unit, missingFrom: other, .siteAssociation, app, budget) {
                sample throws(WorkBudget.Exceeded) in
                guard try rules.claim(sample, budget: budget) != nil else { return false }
                for rules in others where try rules.claim(sample, budget: budget) != nil { return false }
                return true
            }
        }
        for rules in android where other.hosts.contains(rules.unit.host) {
            let others = other.android.filter { $0.unit.host == rules.unit.host && $0.unit.app == rules.unit.app }
            found += try links(of: rules.unit, missingFrom: other, .androidDynamic, rules.unit.app, budget) {
                sample throws(WorkBudget.Exceeded) in
                guard try rules.claimNarrowed(sample, budget: budget) != nil else { return false }
                for rules in others where try rules.claimNarrowed(sample, budget: budget) != nil { return false }
                return true
            }
        }
        return found
    }

    private func links(
        of unit: HostAppPair, missingFrom other: SiteFiles, _ target: SiteTarget, _ app: String, _ budget: WorkBudget,
        isMissing: (SiteSample) throws(WorkBudget.Exceeded) -> Bool
    ) throws(WorkBudget.Exceeded) -> [ClaimedLink] {
        var found: [ClaimedLink] = []
        for route in unit.routes {
            try budget.spend(16, on: .exporting)
            guard let sample = SiteSample.example(of: route.route.pattern), try isMissing(sample) else { continue }
            let link = "https://" + unit.linkHost + sample.suffix
            // A link that no market routes anymore isn't lost because of the file.
            guard other.tables.indices.contains(where: { other.routes(link, market: $0) }) else { continue }
            found.append(
                ClaimedLink(
                    target: target, host: unit.host, app: app, pattern: route.route.pattern.text, link: link))
        }
        return found
    }

    private func appIdentifier(of unit: HostAppPair) -> String {
        let team = unit.markets.lazy.map { input.markets[$0].app.teamIdentifier }.first { !$0.isEmpty } ?? ""
        return team.isEmpty ? unit.app : "\(team).\(unit.app)"
    }

    private func routes(_ link: String, market: Int) -> Bool {
        !routes(link, unit: HostAppPair(host: "", app: "", markets: [market])).isEmpty
    }
}
