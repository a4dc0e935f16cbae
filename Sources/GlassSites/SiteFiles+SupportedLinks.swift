import GlassBase
import GlassDeepLinking

extension SiteFiles {
    /// A Markdown page of supported links: the routes of each market, and how well each file matches them.
    package func supportedLinks(audit: SiteAudit? = nil) -> String {
        let claims = (audit ?? self.audit()).claims
        var lines = ["# Supported links", ""]
        var start = 0
        for (index, market) in input.markets.enumerated() {
            let count = market.routes.count * SiteTarget.allCases.count
            let own = claims.dropFirst(start).prefix(count)
            start += count
            let hosts = hostsOfMarket[index].map { Markdown.code("https://" + $0) }
            let schemes = market.schemes.map { Markdown.code($0 + "://") }
            lines += [
                "## \(Markdown.text(market.id))", "",
                "Hosts: \(hosts.isEmpty ? "none" : hosts.joined(separator: ", "))", "",
            ]
            let kept = market.browser.map { path in
                Markdown.code("/" + (path.segments + (path.includesBelow ? ["*"] : [])).joined(separator: "/"))
            }
            if !kept.isEmpty { lines += ["Stays in the browser: \(kept.joined(separator: ", "))", ""] }
            lines += ["Schemes: \(schemes.isEmpty ? "none" : schemes.joined(separator: ", "))", ""]
            lines.append("| routable | pattern | example | iOS | Android 35+ | Android 31+ |")
            lines.append("|---|---|---|---|---|---|")
            for (place, route) in market.routes.enumerated() {
                let labels = own.dropFirst(place * SiteTarget.allCases.count).prefix(SiteTarget.allCases.count)
                    .filter { $0.target != .urlTypes }.map(\.label.rawValue)
                let cells =
                    [
                        Markdown.code(route.routableID), Markdown.code(route.pattern.text),
                        Markdown.code(route.example),
                    ] + labels
                lines.append(Markdown.row(cells))
            }
            lines.append("")
            lines += SiteFiles.limits(own)
        }
        lines += Self.legend
        return lines.joined(separator: "\n")
    }

    /// The legend of the tables.
    private static var legend: [String] {
        [
            "## Legend", "",
            "- exact: the file opens the app for all links of the route, and for no others",
            "- over: the file also opens the app for other links, which the app does not route",
            "- under: the file opens the app for only some of the links; the others stay in the browser",
            "- impossible: the file opens the app for none of the links, because the format cannot express them",
            "- Android 35+: devices that read the dynamic rules of assetlinks.json, from API level 35 with Google's services",
            "",
        ]
    }

    /// One line for each rule, with the affected routes.
    private static func limits(_ claims: some Sequence<RouteClaim>) -> [String] {
        var rules: [(title: String, patterns: [String], witness: String)] = []
        var places: [String: Int] = [:]
        for claim in claims where claim.target != .urlTypes {
            for reason in claim.reasons where !reason.witness.isEmpty {
                let title = "\(claim.target.rawValue), \(reason.label.rawValue): \(reason.rule)"
                if let place = places[title] {
                    rules[place].patterns.append(claim.pattern)
                } else {
                    places[title] = rules.count
                    rules.append((title, [claim.pattern], reason.witness))
                }
            }
        }
        guard !rules.isEmpty else { return [] }
        let lines = rules.map { rule in
            let shown = rule.patterns.prefix(3).map(Markdown.code).joined(separator: ", ")
            let rest = rule.patterns.count > 3 ? " and \(rule.patterns.count - 3) more" : ""
            return "- \(rule.title), such as \(Markdown.code(rule.witness)) (\(shown)\(rest))"
        }
        return ["### Files that differ from the routes", ""] + lines + [""]
    }
}
