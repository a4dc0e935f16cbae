import GlassDeepLinking

/// What became of the links of a unit's routes.
struct RouteOutcomes {
    private struct Outcome {
        var opened = 0
        var missed: [String] = []
        var missedSpellings: [String] = []
        var unknown: [String] = []
    }

    /// How many links a finding shows.
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

    func findings(_ input: SiteInput, _ file: ServedFile) -> [ServedFinding] {
        var findings: [ServedFinding] = []
        func finding(
            _ code: ServedFinding.Code, _ severity: ServedFinding.Severity, _ route: ServedFinding.Route,
            _ text: String,
            _ links: [String]
        ) -> ServedFinding {
            var message = "\(route.market): \(route.routable) (\(route.pattern)): \(text)"
            let (shown, count) = Self.shown(links)
            if count > shown.count { message += "; \(shown.count) of \(count) are shown" }
            return ServedFinding(
                code, severity, host: file.host, file: file.kind, route: route, links: shown, message)
        }
        for (outcome, route) in zip(outcomes, unit.routes) {
            let own = ServedFinding.Route(
                market: input.markets[route.market].id, routable: route.route.routableID,
                pattern: route.route.pattern.text)
            if !outcome.missed.isEmpty {
                let some = outcome.opened > 0 ? "some of its links stay" : "its links stay"
                findings.append(finding(.missedRoute, .error, own, "\(some) in the browser", outcome.missed))
            } else if !outcome.missedSpellings.isEmpty {
                findings.append(
                    finding(
                        .missedSpelling, .warning, own, "in other spellings its links stay in the browser",
                        outcome.missedSpellings))
            }
            if !outcome.unknown.isEmpty {
                findings.append(
                    finding(
                        .unknownRoute, .warning, own,
                        "whether its links open the app is not known, as nobody saw how devices read the file's patterns",
                        outcome.unknown))
            }
        }
        if !claimed.isEmpty {
            findings.append(
                ServedFinding(
                    .overclaim, .warning, host: file.host, file: file.kind, links: claimed,
                    "opens \(unit.app) for links that no route takes"))
        }
        return findings
    }

    /// The links that a finding shows, and how many there are.
    private static func shown(_ links: [String]) -> (shown: [String], count: Int) {
        var seen: Set<String> = []
        let distinct = links.filter { seen.insert($0).inserted }
        return (Array(distinct.prefix(shownLinks)), distinct.count)
    }
}
