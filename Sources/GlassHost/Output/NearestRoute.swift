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

    init(_ miss: LinkExplanation.NearMiss, in market: String) {
        self.market = market
        routable = miss.declaration.routableID
        suggestion = miss.suggestion
        written = miss.written
    }

    init(market: String, routable: String, suggestion: String, written: String) {
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
        var reported: Set<[String]> = []
        return routes.filter { reported.insert([$0.written, $0.suggestion]).inserted }
    }
}
