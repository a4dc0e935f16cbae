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
    private static let mostOfOthers = 3

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
    func line(in market: String) -> SafeText {
        let place: SafeText = market == self.market ? "" : " in \(self.market)"
        return "did you mean \"\(suggestion)\"? (\"\(written)\" → \"\(suggestion)\", route of \(routable)\(place))"
    }

    /// The nearest routes of other markets.
    static func others(
        for link: String, in ids: [String], _ source: any MarketSource, _ console: Console, allowance: Allowance
    ) throws -> (takers: [String], nearest: [NearestRoute]) {
        var takers: [String] = []
        let nearest = try console.map(ids, "asking") { id -> NearestRoute? in
            guard let market = try? source.load(id) else { return nil }  // as the parameter says
            if market.deepLinker.canRoute(deepLink: link) {
                takers.append(id)
                return nil
            }
            guard let own = own(link, of: market) else { return nil }
            let explanation = try market.explain(own, allowance: allowance)
            if let winner = explanation.candidates.first(where: \.isWinner) {
                return NearestRoute(market: id, routable: winner.declaration.routableID, suggestion: own, written: link)
            }
            return explanation.nearMisses.first.map { NearestRoute($0, in: id) }
        }
        // Who takes the link itself is a better answer.
        return (takers, takers.isEmpty ? Array(nearest.compactMap(\.self).prefix(mostOfOthers)) : [])
    }

    /// The link as another market would write it: with its scheme or its host.
    private static func own(_ link: String, of market: Market) -> String? {
        guard let separator = link.firstRange(of: "://") else { return nil }
        let rest = link[separator.upperBound...]
        let configuration = market.definition.deepLinking
        guard link.lowercased().hasPrefix("http") else {
            return configuration.schemes.first.map { "\($0)://\(rest)" }
        }
        let path = rest.drop { $0 != "/" && $0 != "?" && $0 != "#" }
        return configuration.universalLinks.first.map { "https://\($0)\(path)" }
    }
}
