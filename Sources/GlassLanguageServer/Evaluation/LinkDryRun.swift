import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// A link that somebody wants to see tried: where it would go, by the last text of each market that had no error.
///
/// Nothing is opened: no handler is called, and no function of a market runs for the link.
struct LinkDryRun: Sendable {
    /// What is tried.
    enum Subject: Sendable {
        /// A link that opens a routable.
        case routable(String)
        case link(String)
    }

    let wanted: Subject
    /// The markets, and what loads the last text of each that had no error.
    let markets: [(id: String, loader: MarketLoader)]

    /// The most markets that one link is tried in.
    static let maximumMarkets = 20

    /// Tries the link.
    func message() -> String {
        guard !markets.isEmpty else { return "nothing can be tried before a market had no error" }
        var lines = markets.prefix(Self.maximumMarkets).map { "\($0.id): \(line(for: $0.id, $0.loader))" }
        if markets.count > Self.maximumMarkets {
            lines.append("\(markets.count - Self.maximumMarkets) more markets were not asked")
        }
        return lines.joined(separator: "\n")
    }

    private func line(for id: String, _ loader: MarketLoader) -> String {
        let market: Market
        do {
            market = try loader.load(id)
        } catch {
            return "it cannot be loaded any more"
        }
        switch wanted {
        case .link(let link): return Self.line(for: link, in: market)
        case .routable(let routable):
            guard let link = market.sampleLink(to: routable) else { return "no link opens \(routable)" }
            return Self.line(for: link, in: market)
        }
    }

    private static func line(for link: String, in market: Market) -> String {
        // What it would wait for is said; that it waits in a market which nobody uses is no news.
        market.preconditions.satisfyAll()
        let explanation = market.explain(link, others: [])
        let shown = link.quotedForMessage
        guard let routable = explanation.result.routableID, case .routed = explanation.result.outcome else {
            let reason = explanation.result.outcome.explanation ?? explanation.result.outcome.name
            let near = explanation.nearMisses.first.map { "; did you mean \($0.suggestion.quotedForMessage)?" } ?? ""
            return "\(shown) opens nothing: \(reason)\(near)"
        }
        let pattern = explanation.result.pattern ?? ""
        let waits = market.routes.first { $0.routable == routable && $0.pattern == pattern }?.waitsFor ?? "nothing"
        let names = waits == "all" ? "every precondition" : waits
        return "\(shown) opens \(routable) by \(pattern.quotedForMessage)"
            + (waits == "nothing" ? "" : ", waits for \(names)")
    }
}
