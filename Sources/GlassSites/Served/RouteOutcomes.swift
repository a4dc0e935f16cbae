import GlassDeepLinking
import GlassSchema

/// The outcomes of the links of an app's routes on a host.
struct RouteOutcomes {
    private struct Outcome {
        var opened = 0
        var missed: [String] = []
        var missedSpellings: [String] = []
        var unknown: [String] = []
    }

    /// The maximum number of links in a finding.
    private static let shownLinks = 3

    private let unit: HostAppPair
    private var outcomes: [Outcome]
    private var places: [[Int]: Int] = [:]
    private var claimed: [String] = []

    init(_ unit: HostAppPair) {
        self.unit = unit
        outcomes = Array(repeating: Outcome(), count: unit.routes.count)
        for (place, route) in unit.routes.enumerated() { places[[route.market, route.index]] = place }
    }

    mutating func add(
        _ link: String, _ trait: SiteSample.Trait, _ routed: [(market: Int, route: Int)],
        _ possible: AssociationOutcomes, isExpected: Bool
    ) {
        if routed.isEmpty {
            if possible == .opens, !isExpected, !claimed.contains(link), claimed.count < Self.shownLinks {
                claimed.append(link)
            }
            return
        }
        for (market, route) in routed {
            guard let place = places[[market, route]] else { continue }
            switch trait {
            case _ where possible == .opens: outcomes[place].opened += 1
            case _ where possible.contains(.opens): outcomes[place].unknown.append(link)
            case .letterCase, .trailingSlash, .bareHost: outcomes[place].missedSpellings.append(link)
            default: outcomes[place].missed.append(link)
            }
        }
    }

    func findings(_ input: SiteInput, _ file: ServedFile) -> [SiteFinding] {
        var findings: [SiteFinding] = []
        func finding(
            _ code: SiteFinding.Code, _ severity: Finding.Severity, _ route: SiteFinding.Route,
            _ text: String,
            _ links: [String]
        ) -> SiteFinding {
            var message = "\(route.market): \(route.routable) (\(route.pattern)): \(text)"
            let (shown, count) = Self.shown(links)
            if count > shown.count { message += "; showing \(shown.count) of \(count)" }
            return SiteFinding(
                code, severity, of: file.host, file: file.kind, route: route, links: shown, message)
        }
        for (outcome, route) in zip(outcomes, unit.routes) {
            let own = SiteFinding.Route(
                market: input.markets[route.market].id, routable: route.route.routableID,
                pattern: route.route.pattern.text)
            if !outcome.missed.isEmpty {
                let some = outcome.opened > 0 ? "some of its links stay" : "its links stay"
                findings.append(finding(.missedRoute, .error, own, "\(some) in the browser", outcome.missed))
            } else if !outcome.missedSpellings.isEmpty {
                findings.append(
                    finding(
                        .missedSpelling, .warning, own, "its links in other spellings stay in the browser",
                        outcome.missedSpellings))
            }
            if !outcome.unknown.isEmpty {
                findings.append(
                    finding(
                        .unknownRoute, .warning, own,
                        "its links may not open the app: it is unknown how devices interpret the file's patterns",
                        outcome.unknown))
            }
        }
        if !claimed.isEmpty {
            findings.append(
                SiteFinding(
                    .overclaim, .warning, of: file.host, file: file.kind, links: claimed,
                    "opens \(unit.app) for links that no route matches"))
        }
        return findings
    }

    /// The distinct links that a finding shows, and the number of all distinct links.
    private static func shown(_ links: [String]) -> (shown: [String], count: Int) {
        var seen: Set<String> = []
        let distinct = links.filter { seen.insert($0).inserted }
        return (Array(distinct.prefix(shownLinks)), distinct.count)
    }
}
