package import GlassBase
package import GlassDeepLinking
package import GlassMarkets

/// What a link does in a market: what opening it does, why it is routed that way, and what would change that.
///
/// Everything that says what a link does prints this value, so that no two commands disagree.
package struct LinkAnswer: Sendable {
    /// Why the link is routed as it is. The result is that of opening it; `running` if its handler took too long.
    package let explanation: LinkExplanation
    /// The preconditions that the routable of the link waits for; nil if no routable handles it.
    package let preconditions: [String]?
    /// What opening the link does once all preconditions are met; nil if it does not wait.
    package let later: DispatchResult?
    /// Situations in which the link opens something; only if it opens nothing.
    package let situations: [LinkSituation]

    /// What opening the link does.
    package var result: DispatchResult { explanation.result }
}

/// Opens links in a market that nothing else uses and whose services are mocks, to find out what they do.
package struct LinkTrial {
    /// The market, in which links are opened.
    package let market: Market
    private let held: Set<String>

    /// The maximum time for an asynchronous handler.
    package static let patience = Duration.seconds(2)

    /// Creates a trial.
    ///
    /// - Parameters:
    ///   - market: The market. Opening a link changes its navigation state and its preconditions.
    ///   - held: The preconditions that are unmet. Unknown names belong to other markets.
    package init(_ market: Market, holding held: some Sequence<String> = []) {
        self.market = market
        self.held = Set(held)
    }

    /// What opening a link does, and why.
    package func explanation(of link: String, budget: WorkBudget) throws -> LinkExplanation {
        let result = open(link, in: market)
        var explanation = try market.explain(link, budget: budget).opened(result)
        // A suggestion that opens nothing helps nobody.
        explanation.nearMisses.removeAll { !open($0.link, in: market).outcome.isRoutable }
        return explanation
    }

    /// What a link does.
    package func answer(to link: String, budget: WorkBudget) throws -> LinkAnswer {
        let explanation = try explanation(of: link, budget: budget)
        let result = explanation.result
        var later: DispatchResult?
        if case .waiting = result.outcome { later = LinkTrial(market).open(link, in: market) }
        var situations: [LinkSituation] = []
        if result.outcome.opensNothingInApp {
            situations = try market.situations(budget: budget) { other in
                other.deepLinker.canRoute(deepLink: link) && open(link, in: other).outcome.isRoutable
            }
        }
        let isHandled = result.outcome.isRoutable || explanation.candidates.contains(where: \.isMatch)
        let routable = result.routableID ?? explanation.candidates.first(where: \.isMatch)?.declaration.routableID
        return LinkAnswer(
            explanation: explanation,
            preconditions: isHandled ? routable.map(market.preconditions(ofRoutable:)) : nil, later: later,
            situations: situations)
    }

    /// What opening a link does; `running` if its handler takes too long.
    package func result(of link: String) -> DispatchResult { open(link, in: market) }

    private func open(_ link: String, in market: Market) -> DispatchResult {
        market.preconditions.satisfyAll(holding: held)
        // Every link starts from the same screen, and none is opened because another one is.
        _ = market.deepLinker.takeWaitingLinks()
        market.deepLinker.navigationState.reset()
        return Self.result(of: link, in: market, within: Self.patience)
    }

    /// Opens a link and waits for its handler if that is asynchronous. The outcome is `running` if that takes longer.
    package static func result(of link: String, in market: Market, within limit: Duration) -> DispatchResult {
        let (results, continuation) = AsyncStream.makeStream(of: DispatchResult.self)
        // Set before the link is opened, so that no outcome is missed.
        let before = market.deepLinker.hooks.outcomeHandler
        market.deepLinker.updateHooks { hooks in
            hooks.outcomeHandler = { result in
                before?(result)
                continuation.yield(result)
            }
        }
        defer { market.deepLinker.updateHooks { $0.outcomeHandler = before } }
        let result = market.open(link)
        guard case .running = result.outcome else { return result }
        let final = try? BlockingCall.result(within: limit) {
            // No other link is opened, so the next outcome belongs to this link. There is none if the wait was
            // cancelled.
            for await final in results { return final }
            return result
        }
        return final ?? result  // the wait throws nothing
    }
}

extension MarketPreconditions {
    /// Satisfies every precondition except some. Unknown names belong to other markets.
    package func satisfyAll(holding held: Set<String>) {
        satisfyAll()
        for name in names where held.contains(name) { try? reset(name) }  // it is one of the names
    }
}

extension Market {
    /// The preconditions that the links of a routable wait for.
    package func preconditions(ofRoutable id: String) -> [String] {
        switch deepLinker.routables.first(where: { $0.id == id })?.requiredPreconditions {
        case .all: preconditions.names
        case .named(let names): names
        case nil, .some(.none): []
        }
    }
}

extension RouteOutcome {
    /// Whether no screen of the app is for the link, so that one of another situation or a similar link may be meant.
    package var opensNothingInApp: Bool {
        switch self {
        case .unroutable, .external: true
        case .routed, .waiting, .running, .refused, .failed: false
        }
    }
}
