import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets

/// A route that a link which routes nowhere nearly takes, in its market or in another one.
struct NearestRoute: Encodable {
    /// The market of the route.
    let market: String
    /// The routable of the route.
    let routable: String
    /// What was probably meant.
    let suggestion: String
    /// What the link has there.
    let written: String

    /// How many routes of other markets are named.
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

    /// The route as a line of text.
    func line(in market: String) -> DisplayText {
        let place: DisplayText = market == self.market ? "" : " in \(self.market)"
        return "did you mean \"\(suggestion)\"? (\"\(written)\" → \"\(suggestion)\", route of \(routable)\(place))"
    }

    /// The routes, each suggestion once: markets that extend one another have the same routes.
    static func once(_ routes: [NearestRoute]) -> [NearestRoute] {
        var told: Set<[String]> = []
        return routes.filter { told.insert([$0.written, $0.suggestion]).inserted }
    }

    /// The nearest routes of other markets for a link that a market was asked about.
    static func others(
        for link: String, than asked: Market, in ids: [String], _ source: any MarketSource, _ console: Console,
        budget: WorkBudget
    ) throws -> (takers: [String], nearest: [NearestRoute]) {
        var takers: [String] = []
        let nearest = try console.map(ids, "asking") { id -> NearestRoute? in
            guard let market = try? source.load(id) else { return nil }  // as the parameter says
            if market.deepLinker.canRoute(deepLink: link) {
                takers.append(id)
                return nil
            }
            guard let own = own(link, of: market, asked: asked) else { return nil }
            let explanation = try market.explain(own, budget: budget)
            if let winner = explanation.candidates.first(where: \.isWinner) {
                return NearestRoute(market: id, routable: winner.declaration.routableID, suggestion: own, written: link)
            }
            return explanation.nearMisses.first.map { NearestRoute($0, in: id) }
        }
        // Who takes the link itself is a better answer.
        return (takers, takers.isEmpty ? Array(once(nearest.compactMap(\.self)).prefix(maximumOthers)) : [])
    }

    /// The link as another market would write it. A host is somebody's: a link of another one is no slip of the hand, and
    /// neither is a scheme that the market which was asked does not have.
    private static func own(_ link: String, of market: Market, asked: Market) -> String? {
        guard let parsed = try? DeepLink(link) else { return nil }  // what is no link has been told already
        let (own, other) = (market.definition.deepLinking, asked.definition.deepLinking)
        if parsed.isWebLink { return own.isUniversal(host: parsed.host) ? link : nil }
        if own.hasScheme(parsed.scheme) { return link }
        guard other.hasScheme(parsed.scheme), let separator = link.firstRange(of: "://") else { return nil }
        return own.schemes.first.map { "\($0)://\(link[separator.upperBound...])" }
    }
}
