import GlassDeepLinking

/// What became of the links of a unit's routes.
struct RouteOutcomes {
    private struct Outcome {
        var opened = 0
        var missed: [String] = []
        var missedSpellings: [String] = []
    }

    /// How many links a finding shows.
    private static let shownLinks = 3

    private let unit: SiteUnit
    private var outcomes: [Outcome]
    private var places: [[Int]: Int] = [:]
    private var claimed: [String] = []

    init(_ unit: SiteUnit) {
        self.unit = unit
        outcomes = Array(repeating: Outcome(), count: unit.routes.count)
        for (place, route) in unit.routes.enumerated() { places[[route.market, route.index]] = place }
    }

    mutating func add(
        _ link: String, _ trait: SiteSample.Trait, _ routed: [(market: Int, route: Int)], isOpened: Bool,
        isExpected: Bool
    ) {
        if routed.isEmpty {
            if isOpened, !isExpected, !claimed.contains(link), claimed.count < Self.shownLinks { claimed.append(link) }
            return
        }
        for (market, route) in routed {
            guard let place = places[[market, route]] else { continue }
            switch trait {
            case _ where isOpened: outcomes[place].opened += 1
            case .letterCase, .trailingSlash, .bareHost: outcomes[place].missedSpellings.append(link)
            default: outcomes[place].missed.append(link)
            }
        }
    }

    func findings(_ input: SiteInput, _ file: ServedFile) -> [ServedFinding] {
        var findings: [ServedFinding] = []
        for (outcome, route) in zip(outcomes, unit.routes) {
            let own = ServedFinding.Route(
                market: input.markets[route.market].id, routable: route.route.routableID,
                pattern: route.route.pattern.text)
            if !outcome.missed.isEmpty {
                let some = outcome.opened > 0 ? "some of its links stay" : "its links stay"
                findings.append(
                    ServedFinding(
                        .missedRoute, host: file.host, file: file.kind, route: own, links: Self.shown(outcome.missed),
                        "\(own.market): \(own.routable) (\(own.pattern)): \(some) in the browser"))
            } else if !outcome.missedSpellings.isEmpty {
                findings.append(
                    ServedFinding(
                        .missedSpelling, .warning, host: file.host, file: file.kind, route: own,
                        links: Self.shown(outcome.missedSpellings),
                        "\(own.market): \(own.routable) (\(own.pattern)): in other spellings its links stay in the browser"
                    ))
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

    private static func shown(_ links: [String]) -> [String] {
        var seen: Set<String> = []
        return Array(links.filter { seen.insert($0).inserted }.prefix(shownLinks))
    }
}
