import GlassBase
import GlassDeepLinking

extension SiteFiles {
    /// The page of supported links, in Markdown: what each market takes, and how well each file says so.
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
            lines += ["Schemes: \(schemes.isEmpty ? "none" : schemes.joined(separator: ", "))", ""]
            lines.append("| routable | pattern | example | iOS | Android 35+ | Android 31+ | Android 30- |")
            lines.append("|---|---|---|---|---|---|---|")
            for (place, route) in market.routes.enumerated() {
                let labels = own.dropFirst(place * SiteTarget.allCases.count).prefix(SiteTarget.allCases.count)
                    .filter { $0.target != .urlTypes }.map(\.label.rawValue)
                let example = SiteSample.example(of: route.pattern)?.suffix ?? "/"
                let cells =
                    [
                        Markdown.code(route.routableID), Markdown.code(route.pattern.text),
                        Markdown.code(example),
                    ] + labels
                lines.append(Markdown.row(cells))
            }
            lines.append("")
            lines += SiteFiles.limits(own)
        }
        lines += Self.legend
        return lines.joined(separator: "\n")
    }

    /// What the labels of the tables mean.
    private static var legend: [String] {
        [
            "## Legend", "",
            "- exact: the file opens the app for the links of the route, and for no others",
            "- over: for others too, which the app then does not route",
            "- under: not for all of them; the others stay in the browser",
            "- impossible: for none of them, because the format cannot say it",
            "- Android 35+: devices that read the dynamic rules of assetlinks.json, from API level 35 with Google's services",
            "- Android 30-: devices below API level 31", "",
        ]
    }

    /// One line for each rule, with the routes that it concerns.
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
        return ["### Where a file says more or less than the route", ""] + lines + [""]
    }
}
