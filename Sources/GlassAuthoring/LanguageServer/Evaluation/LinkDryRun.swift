import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// What a link does in the last error-free version of each market, whose services are mocks.
struct LinkDryRun: Sendable {
    /// The subject of a dry run.
    enum Subject: Sendable {
        /// A sample link of a routable.
        case routable(String)
        case link(String)
    }

    let wanted: Subject
    /// The markets, each with a loader of its last error-free version.
    let markets: [(id: String, loader: MarketLoader)]

    /// The maximum number of markets per link.
    static let maximumMarkets = 20

    /// Resolves the link in each market and returns the results, one line per market.
    func message() -> String {
        guard !markets.isEmpty else { return "no market has loaded without errors yet" }
        var lines = markets.prefix(Self.maximumMarkets).map { "\($0.id): \(line(for: $0.id, $0.loader))" }
        if markets.count > Self.maximumMarkets {
            lines.append("\(markets.count - Self.maximumMarkets) more markets were not tried")
        }
        return lines.joined(separator: "\n")
    }

    private func line(for id: String, _ loader: MarketLoader) -> String {
        let market: Market
        do {
            market = try loader.load(id)
        } catch {
            return "it can no longer be loaded"
        }
        switch wanted {
        case .link(let link): return Self.line(for: link, in: market)
        case .routable(let routable):
            guard let link = market.sampleLink(to: routable) else { return "no link opens \(routable)" }
            return Self.line(for: link, in: market)
        }
    }

    private static func line(for link: String, in market: Market) -> String {
        let answer: LinkAnswer
        do {
            answer = try LinkTrial(market).answer(to: link, budget: WorkBudget())
        } catch {
            return "\(error)"
        }
        let explanation = answer.explanation
        let shown = link.quotedForMessage
        guard let routable = explanation.result.routableID, case .routed = explanation.result.outcome else {
            let reason = explanation.result.outcome.explanation ?? explanation.result.outcome.name
            let near = explanation.nearMisses.first.map { "; did you mean \($0.suggestion.quotedForMessage)?" } ?? ""
            return "\(shown) opens nothing: \(reason)\(near)"
        }
        let pattern = explanation.result.pattern ?? ""
        let waits = answer.preconditions ?? []
        return "\(shown) opens \(routable) by \(pattern.quotedForMessage)"
            + (waits.isEmpty ? "" : ", waits for \(waits.joined(separator: ", "))")
    }
}
