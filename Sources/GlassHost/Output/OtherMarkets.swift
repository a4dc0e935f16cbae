import GlassAuthoring
import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets

/// What the other markets of a folder do with a link.
///
/// They have a small budget of their own: a market that was named is not paid for by loading all others.
struct OtherMarkets {
    /// The markets that open it.
    private(set) var takers: [String] = []
    /// The nearest routes, if no market opens it. Each suggestion was opened.
    private(set) var nearest: [NearestRoute] = []
    /// Why each market opens nothing, the nearest first, if the link begins like those of no market; otherwise empty.
    private(set) var refusals: [MarketRefusal] = []
    /// That some markets were not tried; nil if all were.
    private(set) var note: DisplayText?

    private let link: String
    private let trial: LinkTrial
    private let isNamed: Bool
    private let budget: WorkBudget
    private let end: ContinuousClock.Instant
    private var untried: [String] = []

    /// The maximum number of routes.
    private static let maximumRoutes = 3
    /// The maximum time, in addition to the limit of steps: opening a link in a market runs its handler.
    private static let patience = Duration.seconds(1)

    /// Tries a link in each market of the folder but the one of a trial.
    init(trying link: String, than trial: LinkTrial, _ session: Session) throws {
        self.link = link
        self.trial = trial
        isNamed = session.options.namedMarket != nil
        budget = WorkBudget(steps: session.options.maximumSteps ?? WorkBudget.stepsOfSuggestions)
        end = ContinuousClock.now + Self.patience * BuildSpeed.slowdown
        let source = try session.markets(services: .mock)
        let ids = try session.reporting { try source.marketIDs() }.filter { $0 != trial.market.id }
        for market in ids.compactMap({ session.tried[$0] }) { try attempt(market) }
        // Markets are loaded one after another, so that none stays in memory longer than it takes to try it.
        let others = ids.filter { session.tried[$0] == nil }
        untried += try session.forEach(others, of: source, "trying", within: budget) { _, check in
            if let market = (try? check())?.market { try attempt(market) }  // a broken market has no suggestion
        }
        if !untried.isEmpty {
            note =
                "\("note", .dim): the link was tried in only \(ids.count - untried.count) of \(ids.count.counted("other market")); "
                + "to try it in another one, name that market with -m"
        }
        finish()
    }

    private mutating func attempt(_ market: Market) throws {
        guard ContinuousClock.now < end, !budget.isSpent else { return untried.append(market.id) }
        do {
            if let found = try suggestion(of: market) { nearest.append(found) }
        } catch is WorkBudget.Exceeded {
            untried.append(market.id)
        }
    }

    private mutating func suggestion(of market: Market) throws -> NearestRoute? {
        let (other, asked) = (LinkTrial(market), trial.market)
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
        if let equivalent = translated.map({ Self.inForm(of: link, $0, asked) }),
            trial.result(of: equivalent).outcome.isRoutable
        {
            return NearestRoute(
                market: asked.id, routable: miss.declaration.routableID, suggestion: equivalent, written: link)
        }
        return NearestRoute(miss, in: market.id)
    }

    /// Keeps the best answers.
    private mutating func finish() {
        // A market that accepts the link itself is a better answer.
        guard takers.isEmpty else {
            (nearest, refusals) = ([], [])
            return
        }
        nearest = Array(NearestRoute.once(nearest).prefix(Self.maximumRoutes))
        // If the link begins like those of a market, that one was asked, and its reason is enough.
        let own = isNamed ? nil : MarketRefusal(of: link, trial.result(of: link), in: trial.market)
        refusals = own.map { (refusals + [$0]).sorted() } ?? []
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
