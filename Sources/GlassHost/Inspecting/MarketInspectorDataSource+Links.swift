import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets

extension MarketInspectorDataSource {
    /// The outcome of a link in each market.
    ///
    /// Nothing leaves the machine: the services are mocks, and each link is opened in a market that is loaded only for
    /// it, so that one link does not affect the outcome of the next.
    func outcomes(of link: String, holding held: [String]) throws -> JSONObject {
        let budget = session.budget()
        let explanations = try inUse.map { market in
            market.preconditions.satisfyAll(but: Set(held))
            return (market: market, explanation: try market.explain(link, budget: budget))
        }
        let taker = explanations.first { $0.explanation.isRouted }?.market
        var columns: [String: JSONObject] = [:]
        // A market without a valid version has no outcome.
        for status in store.statuses where status.applied == nil { columns[status.id] = Self.column(of: status.id) }
        for (market, explanation) in explanations {
            var column = Self.column(of: market.id)
            column["explanation"] = explanation.json(market: market.id)
            if explanation.isRouted {
                try open(link, held, in: market.id, &column)
            } else if let taker, taker !== market {
                do {
                    column["translated"] = try taker.translate(link, to: market, budget: budget)
                } catch let error as LinkBuildingError {
                    column["untranslated"] = "\(error)"
                }
            }
            columns[market.id] = column
        }
        return [
            "link": link, "hold": held, "owner": taker?.id,
            "markets": columns.sorted { $0.key.precedesInUTF8($1.key) }.map(\.value),
        ]
    }

    /// The column of a market: why the link is routed as it is, what opening it does or why it was not opened, and the
    /// equivalent of another market's link, or why it has no equivalent.
    private static func column(of market: String) -> JSONObject {
        [
            "market": market, "explanation": nil, "dispatch": nil, "note": nil, "translated": nil, "untranslated": nil,
        ]
    }

    private func open(_ link: String, _ held: [String], in market: String, _ column: inout JSONObject) throws {
        // The store is about to report the errors of files that were just saved.
        guard store.status(of: market)?.isCurrent == true, let own = try? loader.load(market) else {
            column["note"] = "the file on disk has errors, so the link was not opened"
            return
        }
        own.preconditions.satisfyAll(but: Set(held))
        do {
            let result = try OpenCommand.finalResult(of: link, in: own, within: .seconds(2))
            column["dispatch"] = result.json(market: market)
        } catch is CommandFailure {
            column["note"] = "the handler did not finish within 2 seconds"
        }
    }
}

extension LinkExplanation {
    fileprivate var isRouted: Bool { candidates.contains(where: \.isWinner) }
}

extension MarketPreconditions {
    /// Satisfies every precondition except some. Unknown names belong to other markets.
    fileprivate func satisfyAll(but held: Set<String>) {
        satisfyAll()
        for name in names where held.contains(name) { try? reset(name) }  // it is one of the names
    }
}
