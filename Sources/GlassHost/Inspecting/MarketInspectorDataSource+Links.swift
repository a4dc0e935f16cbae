import GlassAuthoring
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
            column["situations"] = (outcome.answer?.situations ?? []).map(\.json)
            column["note"] = outcome.note
            column["sentence"] = outcome.sentence(in: market, ownedBy: owners, zone: zone(of: market.id)).json
            if let otherwise = page.otherwise {
                let other = try self.outcome(of: link, held, in: otherwise, budget)
                var json = other.json(market: market.id)
                if try Self.text(json) != Self.text(outcome.json(market: market.id)) {
                    json["sentence"] = other.sentence(in: market, ownedBy: owners, zone: zone(of: market.id)).json
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
            "situations": [] as [JSONObject],
            "translated": nil, "untranslated": nil,
        ]
    }

    /// The outcome of a link in a market that is loaded only for it.
    private func outcome(
        of link: String, _ held: [String], in market: Market, _ budget: WorkBudget
    ) throws -> LinkOutcome {
        // The store is about to report the errors of files that were just saved.
        guard store.status(of: market.id)?.isCurrent == true,
            let own = try? loader.load(market.id).read(in: market.given)
        else {
            market.preconditions.satisfyAll(holding: Set(held))
            return LinkOutcome(explanation: try market.explain(link, budget: budget))
        }
        let answer = try LinkTrial(own, holding: held).answer(to: link, budget: budget)
        return LinkOutcome(explanation: answer.explanation, answer: answer)
    }
}

/// The outcome of a link in a market.
private struct LinkOutcome {
    /// Why it is routed as it is.
    let explanation: LinkExplanation
    /// What the link does; nil if it was not opened.
    var answer: LinkAnswer?

    /// What opening the link does; nil if no route matches it, or it was not opened.
    var dispatch: DispatchResult? {
        guard let answer, explanation.candidates.contains(where: \.isMatch) else { return nil }
        if case .running = answer.result.outcome { return nil }
        return answer.result
    }

    /// The reason why it was not opened, although a route matches it.
    var note: String? {
        guard explanation.candidates.contains(where: \.isMatch) else { return nil }
        guard let answer else { return "its file has errors, so the link cannot be checked until they are fixed" }
        if case .running = answer.result.outcome { return "the handler did not finish within 2 seconds" }
        return nil
    }

    /// What opening the link does or, without that, how it is routed.
    func json(market: String) -> JSONObject {
        var json = explanation.result.json(market: market)
        json["situations"] = (answer?.situations ?? []).map(\.json)
        return json
    }

    /// The outcome in words.
    ///
    /// - Parameters:
    ///   - owners: The markets that have the link's scheme or host.
    ///   - zone: The time zone for dates.
    func sentence(in market: Market, ownedBy owners: [Market], zone: String?) -> LinkSentence {
        if let note { return LinkSentence(unopened: note, in: market.definition.name) }
        let later = answer?.later.flatMap { $0.outcome == .routed ? $0.navigation : nil }
        return LinkSentence(
            explanation.result, in: market.definition.name,
            ownedBy: owners.filter { $0 !== market }.map(\.definition.name), later: later,
            situations: answer?.situations ?? [], zone: zone, words: market.words(ofPrecondition:))
    }
}

extension LinkExplanation {
    fileprivate var isRouted: Bool { result.outcome.isRoutable }

    /// Whether the market has the link's scheme or host, even if it has no route for it.
    fileprivate var isOwn: Bool {
        switch result.outcome {
        case .unroutable(.unknownScheme), .unroutable(.unknownHost), .refused: false
        default: true
        }
    }
}
