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
        let owners = outcomes.filter { $0.outcome.explanation.isOwn }.map(\.market.own)
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
            column["sentence"] = outcome.sentence(in: market, ownedBy: owners).json
            if let otherwise = page.otherwise {
                let other = try self.outcome(of: link, held, in: otherwise, budget)
                var json = other.json(market: market.id)
                if try Self.text(json) != Self.text(outcome.json(market: market.id)) {
                    json["sentence"] = other.sentence(in: market, ownedBy: owners).json
                    column["otherwise"] = json
                }
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

    /// The column of a market: the outcome as a sentence, why the link is routed as it is, what opening it does or why
    /// it was not opened, the outcome in the default situation if that differs, and the equivalent of another market's
    /// link, or why it has no equivalent.
    private static func column(of market: String) -> JSONObject {
        [
            "market": market, "sentence": nil, "explanation": nil, "dispatch": nil, "note": nil, "otherwise": nil,
            "translated": nil, "untranslated": nil,
        ]
    }

    private func outcome(
        of link: String, _ held: [String], in market: Market, _ budget: WorkBudget
    ) throws -> LinkOutcome {
        market.preconditions.satisfyAll(but: Set(held))
        var outcome = LinkOutcome(explanation: try market.explain(link, budget: budget))
        guard outcome.explanation.isRouted else { return outcome }
        do {
            outcome.dispatch = try opened(link, held, in: market)
            if case .waiting? = outcome.dispatch?.outcome {
                outcome.later = try? opened(link, [], in: market)  // only completes the sentence
            }
            if outcome.dispatch == nil {
                outcome.note = "its file has errors, so the link cannot be checked until they are fixed"
            }
        } catch is CommandFailure {
            outcome.note = "the handler did not finish within 2 seconds"
        }
        return outcome
    }

    /// The result of opening a link in a market that is loaded only for it; nil if its files have errors.
    private func opened(_ link: String, _ held: [String], in market: Market) throws -> DispatchResult? {
        // The store is about to report the errors of files that were just saved.
        guard store.status(of: market.id)?.isCurrent == true,
            let own = try? loader.load(market.id).read(in: market.given)
        else { return nil }
        own.preconditions.satisfyAll(but: Set(held))
        return try OpenCommand.finalResult(of: link, in: own, within: .seconds(2))
    }
}

/// The outcome of a link in a market.
private struct LinkOutcome {
    /// Why it is routed as it is.
    let explanation: LinkExplanation
    /// What opening it does; nil if it was not opened.
    var dispatch: DispatchResult?
    /// What opening it does once nothing is unmet; nil if it does not wait.
    var later: DispatchResult?
    /// The reason why it was not opened, although the market routes it.
    var note: String?

    /// What opening the link does or, without that, how it is routed.
    func json(market: String) -> JSONObject {
        dispatch?.json(market: market) ?? explanation.result.json(market: market)
    }

    /// The outcome in words.
    ///
    /// - Parameter owners: The markets that have the link's scheme or host.
    func sentence(in market: Market, ownedBy owners: [Market]) -> LinkSentence {
        if let note { return LinkSentence(unopened: note, in: market.definition.name) }
        let later = later.flatMap { $0.outcome == .routed ? $0.navigation : nil }
        return LinkSentence(
            dispatch ?? explanation.result, in: market.definition.name,
            ownedBy: owners.filter { $0 !== market }.map(\.definition.name), later: later,
            words: market.words(ofPrecondition:))
    }
}

extension LinkExplanation {
    fileprivate var isRouted: Bool { candidates.contains(where: \.isWinner) }

    /// Whether the market has the link's scheme or host, even if it has no route for it.
    fileprivate var isOwn: Bool {
        switch result.outcome {
        case .unroutable(.unknownScheme), .unroutable(.unknownHost), .refused: false
        default: true
        }
    }
}

extension MarketPreconditions {
    /// Satisfies every precondition except some. Unknown names belong to other markets.
    fileprivate func satisfyAll(but held: Set<String>) {
        satisfyAll()
        for name in names where held.contains(name) { try? reset(name) }  // it is one of the names
    }
}
