import GlassAuthoring
import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets

/// A route that an unroutable link almost matches, in its own market or in another one.
struct NearestRoute {
    /// The market of the route.
    let market: String
    /// The routable of the route.
    let routable: String
    /// The suggested text.
    let suggestion: String
    /// The text in the link that the suggestion replaces.
    let written: String

    /// The maximum number of routes of other markets.
    private static let maximumOthers = 3

    init(_ miss: LinkExplanation.NearMiss, in market: String) {
        self.market = market
        routable = miss.declaration.routableID
        suggestion = miss.suggestion
        written = miss.written
    }

    private init(market: String, routable: String, suggestion: String, written: String) {
        (self.market, self.routable, self.suggestion, self.written) = (market, routable, suggestion, written)
    }

    var json: JSONObject {
        ["market": market, "routable": routable, "suggestion": suggestion, "written": written]
    }

    /// The route as a line of text.
    func line(in market: String) -> DisplayText {
        let place: DisplayText = market == self.market ? "" : " in \(self.market)"
        if written.contains("://") { return "did you mean \"\(suggestion)\"? (route of \(routable)\(place))" }
        return "did you mean \"\(suggestion)\"? (\"\(written)\" → \"\(suggestion)\", route of \(routable)\(place))"
    }

    /// Suggestions without those of other markets that lead to a routable of this market that is suggested already.
    static func together(_ own: [NearestRoute], _ others: [NearestRoute]) -> [NearestRoute] {
        once(
            own
                + others.filter { other in !own.contains { ($0.market, $0.routable) == (other.market, other.routable) }
                })
    }

    /// Removes duplicate suggestions, because markets that extend one another have the same routes.
    static func once(_ routes: [NearestRoute]) -> [NearestRoute] {
        var told: Set<[String]> = []
        return routes.filter { told.insert([$0.written, $0.suggestion]).inserted }
    }

    /// What the other markets of the folder do with a link.
    struct Others {
        /// The markets that open it.
        var takers: [String] = []
        /// The nearest routes, if no market opens it. Each suggestion was opened.
        var nearest: [NearestRoute] = []
        /// Why each market opens nothing, the nearest first, if the link begins like those of no market; otherwise
        /// empty.
        var refusals: [MarketRefusal] = []
        /// Which markets were not tried; nil if all were.
        var note: DisplayText?
    }

    /// The maximum time for all other markets, in addition to the limit of steps: opening a link in one runs its handler.
    private static let patience = Duration.seconds(1)

    /// What the other markets of the folder do with a link, as far as a small budget of their own goes.
    static func others(for link: String, than trial: LinkTrial, _ session: Session) throws -> Others {
        let asked = trial.market
        let isNamed = session.options.namedMarket != nil
        var refusals: [MarketRefusal] = []
        let source = try session.markets(services: .mock)
        let ids = try session.reporting { try source.marketIDs() }.filter { $0 != asked.id }
        let budget = WorkBudget(steps: session.options.maximumSteps ?? WorkBudget.stepsOfSuggestions)
        let end = ContinuousClock.now + patience * BuildSpeed.slowdown
        var takers: [String] = []
        var nearest: [NearestRoute] = []
        var untried: [String] = []
        func suggestion(of market: Market) throws -> NearestRoute? {
            let other = LinkTrial(market)
            let result = other.result(of: link)
            if result.outcome.isRoutable {
                takers.append(market.id)
                return nil
            }
            if !isNamed, let refusal = MarketRefusal(of: link, result, in: market) { refusals.append(refusal) }
            guard let own = Self.own(link, of: market, asked: asked) else { return nil }
            let explanation = try other.explanation(of: own, budget: budget)
            if explanation.result.outcome.isRoutable, let routable = explanation.result.routableID {
                return NearestRoute(market: market.id, routable: routable, suggestion: own, written: link)
            }
            guard let miss = explanation.nearMisses.first else { return nil }
            // The market that was asked may have another path for the same feature.
            let translated = try? market.translate(miss.link, to: asked, budget: budget)
            if let equivalent = translated.map({ inForm(of: link, $0, asked) }),
                trial.result(of: equivalent).outcome.isRoutable
            {
                return NearestRoute(
                    market: asked.id, routable: miss.declaration.routableID, suggestion: equivalent, written: link)
            }
            return NearestRoute(miss, in: market.id)
        }
        func attempt(_ market: Market) throws {
            guard ContinuousClock.now < end, !budget.isSpent else { return untried.append(market.id) }
            do {
                if let found = try suggestion(of: market) { nearest.append(found) }
            } catch is WorkBudget.Exceeded {
                untried.append(market.id)
            }
        }
        let known = ids.compactMap { session.tried[$0] }
        _ = try session.console.map(known.map(\.id), "trying") { id in
            if let market = session.tried[id] { try attempt(market) }
        }
        // Markets are loaded one after another, so that none stays in memory longer than it takes to try it.
        untried += try session.forEach(
            ids.filter { session.tried[$0] == nil }, of: source, "trying", within: budget
        ) { _, check in
            if let market = (try? check())?.market { try attempt(market) }  // a broken market has no suggestion
        }
        let note: DisplayText? =
            untried.isEmpty
            ? nil
            : "\("note", .dim): the link was tried in only \(ids.count - untried.count) of \(ids.count.counted("other market")); "
                + "to try it in another one, name that market with -m"
        // A market that accepts the link itself is a better answer.
        guard takers.isEmpty else { return Others(takers: takers, note: note) }
        // If the link begins like those of a market, that one was asked, and its reason is enough.
        let first = isNamed ? nil : MarketRefusal(of: link, trial.result(of: link), in: asked)
        return Others(
            nearest: Array(once(nearest).prefix(maximumOthers)),
            refusals: first.map { (refusals + [$0]).sorted() } ?? [], note: note)
    }

    /// A link of a market with the scheme of another one, if the market has that scheme.
    private static func inForm(of link: String, _ other: String, _ market: Market) -> String {
        guard let scheme = link.firstRange(of: "://"), let rest = other.firstRange(of: "://"),
            market.definition.deepLinking.hasScheme(String(link[..<scheme.lowerBound]))
        else { return other }
        return "\(link[..<scheme.upperBound])\(other[rest.upperBound...])"
    }

    /// The link as another market would write it; nil if it cannot be a typo for one of its links: for a host or a scheme
    /// that is not nearly one of its own, unless the market that was asked has the scheme.
    private static func own(_ link: String, of market: Market, asked: Market) -> String? {
        guard let parsed = try? DeepLink(link) else { return nil }  // an invalid link has already been reported
        let (own, other) = (market.definition.deepLinking, asked.definition.deepLinking)
        if parsed.isWebLink {
            if own.isUniversal(host: parsed.host) { return link }
            return Suggestion.nearest(to: parsed.host, in: own.universalLinks.filter { !$0.contains("*") }).map {
                near in
                link.replacing(parsed.host, with: near, maxReplacements: 1)
            }
        }
        if own.hasScheme(parsed.scheme) { return link }
        if let near = Suggestion.nearest(to: parsed.scheme, in: own.schemes),
            let separator = link.firstRange(of: "://")
        {
            return "\(near)://\(link[separator.upperBound...])"
        }
        guard other.hasScheme(parsed.scheme), let separator = link.firstRange(of: "://") else { return nil }
        return own.schemes.first.map { "\($0)://\(link[separator.upperBound...])" }
    }
}
