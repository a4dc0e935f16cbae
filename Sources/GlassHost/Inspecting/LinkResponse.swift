import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets

/// The outcome of a link in each market.
struct LinkResponse: Encodable {
    struct Column: Encodable {
        let market: String
        /// Why the link is routed as it is; nil for a market without a valid version.
        @Nullable var explanation: LinkOutput?
        /// The result of opening the link; nil if no handler of the market would receive it, or if the market's files
        /// differ from the version in use.
        @Nullable var dispatch: DispatchOutput?
        /// The equivalent link in this market.
        @Nullable var translated: String?
        /// The reason that there is no equivalent link.
        @Nullable var untranslated: String?
        /// The reason that the link was not opened.
        @Nullable var note: String?
    }

    let link: String
    let hold: [String]
    /// The market that accepts the link; nil if none does.
    @Nullable var owner: String?
    let markets: [Column]

    /// Evaluates the link in each market.
    ///
    /// Nothing leaves the machine: the services are mocks, and each link is opened in a market that is loaded only for
    /// it, so that one link does not affect the outcome of the next.
    init(_ link: String, _ held: [String], of markets: MarketInspectorDataSource) throws {
        self.link = link
        hold = held
        let budget = markets.session.budget()
        var explanations: [(market: Market, explanation: LinkExplanation)] = []
        for market in markets.inUse {
            market.preconditions.satisfyAll(but: Set(held))
            explanations.append((market, try market.explain(link, budget: budget)))
        }
        let taker = explanations.first { $0.explanation.candidates.contains(where: \.isWinner) }?.market
        owner = taker?.id
        var columns: [Column] = []
        for (market, explanation) in explanations {
            var column = Column(market: market.id)
            column.explanation = LinkOutput(explanation, [], market: market.id)
            try column.open(link, held, explanation, markets)
            if let taker, taker !== market, !explanation.candidates.contains(where: \.isWinner) {
                do {
                    column.translated = try taker.translate(link, to: market, budget: budget)
                } catch let error as LinkBuildingError {
                    column.untranslated = "\(error)"
                }
            }
            columns.append(column)
        }
        let broken = markets.store.statuses.filter { $0.applied == nil }.map(\.id)
        self.markets = (columns + broken.map { Column(market: $0) }).sorted { $0.market.precedesInUTF8($1.market) }
    }
}

extension LinkResponse.Column {
    fileprivate mutating func open(
        _ link: String, _ held: [String], _ explanation: LinkExplanation, _ markets: MarketInspectorDataSource
    ) throws {
        guard explanation.candidates.contains(where: \.isWinner) else { return }
        let isCurrent = markets.store.status(of: market)?.isCurrent == true
        // The store is about to report the errors of files that were just saved.
        guard isCurrent, let own = try? markets.loader.load(market) else {
            note = "the file on disk has errors, so the link was not opened"
            return
        }
        own.preconditions.satisfyAll(but: Set(held))
        do {
            let result = try OpenCommand.finalResult(of: link, in: own, within: .seconds(2))
            dispatch = DispatchOutput(result, [], market: market)
        } catch is CommandFailure {
            note = "the handler did not finish within 2 seconds"
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
