import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets

extension MarketInspectorDataSource {
    /// The outcome of a link in each market.
    ///
    /// Nothing leaves the machine: the services are mocks, and each link is opened in a market that is loaded only for
    /// it, so that one link does not affect the outcome of the next.
    func outcomes(of link: String, holding held: [String], _ markets: PageMarkets) throws -> JSONObject {
        let budget = session.budget()
        let outcomes = try markets.all().map { market in
            (market: market, outcome: try outcome(of: link, held, in: market.own, budget))
        }
        let taker = outcomes.first { $0.outcome.explanation.isRouted }?.market.own
        var columns: [String: JSONObject] = [:]
        let loaded = outcomes.map(\.market.own.id)
        let order = loaded + store.statuses.map(\.id).filter { !loaded.contains($0) }
        // A market without a valid version has no outcome.
        for status in store.statuses where status.applied == nil { columns[status.id] = Self.column(of: status.id) }
        for (page, outcome) in outcomes {
            let market = page.own
            var column = Self.column(of: market.id)
            column["explanation"] = outcome.explanation.json(market: market.id)
            column["dispatch"] = outcome.dispatch?.json(market: market.id)
            column["note"] = outcome.note
            if let otherwise = page.otherwise {
                let other = try self.outcome(of: link, held, in: otherwise, budget).json(market: market.id)
                let isSame = try Self.text(other) == Self.text(outcome.json(market: market.id))
                column["otherwise"] = isSame ? nil : other
            }
            if !outcome.explanation.isRouted, let taker, taker !== market {
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
            "markets": order.compactMap { columns[$0] },
        ]
    }

    /// The column of a market: why the link is routed as it is, what opening it does or why it was not opened, the
    /// outcome in the default situation if that differs, and the equivalent of another market's link, or why it has no
    /// equivalent.
    private static func column(of market: String) -> JSONObject {
        [
            "market": market, "explanation": nil, "dispatch": nil, "note": nil, "otherwise": nil, "translated": nil,
            "untranslated": nil,
        ]
    }

    private func outcome(
        of link: String, _ held: [String], in market: Market, _ budget: WorkBudget
    ) throws -> LinkOutcome {
        market.preconditions.satisfyAll(but: Set(held))
        var outcome = LinkOutcome(explanation: try market.explain(link, budget: budget))
        guard outcome.explanation.isRouted else { return outcome }
        // The store is about to report the errors of files that were just saved.
        guard store.status(of: market.id)?.isCurrent == true,
            let own = try? loader.load(market.id).read(in: market.given)
        else {
            outcome.note = "the file on disk has errors, so the link was not opened"
            return outcome
        }
        own.preconditions.satisfyAll(but: Set(held))
        do {
            outcome.dispatch = try OpenCommand.finalResult(of: link, in: own, within: .seconds(2))
        } catch is CommandFailure {
            outcome.note = "the handler did not finish within 2 seconds"
        }
        return outcome
    }
}

/// The outcome of a link in a market.
private struct LinkOutcome {
    /// Why it is routed as it is.
    let explanation: LinkExplanation
    /// What opening it does; nil if it was not opened.
    var dispatch: DispatchResult?
    /// The reason why it was not opened, although the market routes it.
    var note: String?

    /// What opening the link does or, without that, how it is routed.
    func json(market: String) -> JSONObject {
        dispatch?.json(market: market) ?? explanation.result.json(market: market)
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
