import GlassDeepLinking
import GlassSchema

extension SiteFiles {
    /// The maximum number of entries of `LSApplicationQueriesSchemes` that systems consider, as Apple documents for
    /// `canOpenURL(_:)`.
    static let maximumQueriedSchemes = 50

    static func findings(
        input: SiteInput, options: Options, hosts: [String], association: [AssociationRules],
        variables: [String: [String: [String]]], android: [AndroidRules]
    ) -> [SiteFinding] {
        var findings: [SiteFinding] = []
        for market in input.markets where market.universalHosts.isEmpty {
            let message =
                "no https host; set deepLinking.universalLinks for verified app links"
            findings.append(SiteFinding(.noUniversalHost, .warning, of: market.id, message))
        }
        let rulesOfHost = Dictionary(grouping: association, by: \.unit.host)
        for host in hosts {
            let rules = rulesOfHost[host] ?? []
            // The host and the wildcard below it share the file, and no links.
            let names = rules.flatMap(\.unit.names)
            if rules.count > 1, Set(names).count < names.count {
                let apps = rules.map(\.unit.app).joined(separator: ", ")
                let message =
                    "linked by \(rules.count) apps (\(apps)); if several are installed, the system chooses one, "
                    + "so give each app its own host"
                findings.append(SiteFinding(.sharedHost, .warning, of: host, message))
            }
            for rule in rules where rule.unit.markets.count > 1 {
                let lists = rule.unit.markets.map { market in
                    Set(input.markets[market].routes.map(\.route))
                }
                guard let first = lists.first, lists.contains(where: { $0 != first }) else { continue }
                let ids = rule.unit.markets.map { input.markets[$0].id }.joined(separator: ", ")
                let message =
                    "markets \(ids) share the host and the app but not their routes; a link that only one "
                    + "of them routes opens the app in all of them"
                findings.append(SiteFinding(.differentRoutes, .warning, of: host, message))
            }
            let size = associationText(rules, variables: variables[host] ?? [:]).utf8.count
            if size > options.associationSizeLimit {
                let message =
                    "the site association file has \(size) bytes, but devices reportedly read "
                    + "only \(options.associationSizeLimit); use fewer routes or a catch-all"
                findings.append(SiteFinding(.oversize, .warning, of: host, message))
            }
        }
        for (bundle, markets) in Dictionary(grouping: input.markets, by: \.app.bundleIdentifier).sorted(by: {
            $0.key < $1.key
        })
        where !bundle.isEmpty {
            let count = Set(markets.flatMap(\.outboundSchemes).map(SiteInputCheck.lowercased)).count
            guard count > maximumQueriedSchemes else { continue }
            let message =
                "queries \(count) schemes, but iOS 15 and later consider only the first \(maximumQueriedSchemes)"
            findings.append(SiteFinding(.manyQueriedSchemes, .warning, of: bundle, message))
        }
        for rules in android where !rules.rules.isEmpty {
            let subject = "\(rules.unit.app) on \(rules.unit.host)"
            if !rules.unit.browser.isEmpty {
                let message =
                    "a filter cannot exclude the paths of deepLinking.browser; the app must hand links that its gate "
                    + "refuses by the rule browser back to the browser"
                findings.append(SiteFinding(.browserPathsInFilter, .warning, of: subject, message))
            }
            if rules.claimsWholeHostBelow31 {
                let message =
                    "on Android below API 31 the filter claims every path of the host, because it has no path "
                    + "that these levels support; add a route without parameters or require API 31"
                findings.append(SiteFinding(.wholeHostBelowAPI31, .warning, of: subject, message))
            } else if rules.rules.contains(where: { !$0.rule.isKnownBelowAPI31 }) {
                let known = Set(rules.rules.filter(\.rule.isKnownBelowAPI31).flatMap(\.owners))
                let lost = rules.unit.routes.indices.filter { !known.contains($0) }.count
                guard lost > 0 else { continue }
                let message =
                    "on Android below API 31 the links of \(lost) of \(rules.unit.routes.count) routes stay "
                    + "in the browser, because pathAdvancedPattern is not supported there"
                findings.append(SiteFinding(.fewerRoutesBelowAPI31, .warning, of: subject, message))
            }
        }
        return findings
    }
}

extension SiteInput.Route {
    /// Identifies the route across markets.
    fileprivate var route: String { routableID + " " + pattern.text }
}
