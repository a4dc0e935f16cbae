import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassSchema

/// Why a market opens nothing for a link that does not begin like its own.
struct MarketRefusal: Comparable {
    /// The market.
    let market: String
    /// The reason, with what the market's links begin with.
    let reason: String
    /// The number of letters that have to change for the link to begin like one of the market.
    private let distance: Int

    /// The number of refusals that are printed.
    private static let maximumLines = 8

    /// Nil if the link begins like those of the market, or if it is no link.
    init?(of link: String, _ result: DispatchResult, in market: Market) {
        guard let parsed = try? DeepLink(link),  // an invalid link has one reason in all markets
            case .unroutable = result.outcome
        else { return nil }
        let links = market.definition.deepLinking
        let (name, own) = parsed.isWebLink ? (parsed.host, links.universalLinks) : (parsed.scheme, links.schemes)
        guard parsed.isWebLink ? !links.isUniversal(host: name) && !links.isAllowed(host: name) : !links.hasScheme(name)
        else { return nil }
        self.market = market.id
        let known = own.prefix(4).map(\.quotedForMessage).joined(separator: ", ") + (own.count > 4 ? ", …" : "")
        let what = parsed.isWebLink ? "host" : "scheme"
        let ownText =
            own.isEmpty
            ? "the market has no \(what)" : own.count == 1 ? "its \(what) is \(known)" : "its \(what)s are \(known)"
        reason = "\(result.outcome.explanation ?? result.outcome.name); \(ownText)"
        let written = Array(name.lowercased().unicodeScalars)
        distance =
            own.compactMap {
                Suggestion.distance(
                    written, Array($0.lowercased().unicodeScalars), limit: Suggestion.maximumNameLength)
            }.min() ?? .max
    }

    static func < (left: MarketRefusal, right: MarketRefusal) -> Bool {
        (left.distance, left.market) < (right.distance, right.market)
    }

    var json: JSONObject { ["market": market, "reason": reason] }

    /// The lines for refusals, the nearest first.
    static func lines(_ refusals: [MarketRefusal]) -> [DisplayText] {
        let shown = refusals.prefix(maximumLines).map { "\($0.market): \($0.reason)" as DisplayText }
        let more = refusals.count - shown.count
        return more > 0 ? shown + ["and \(more) more markets"] : shown
    }
}
