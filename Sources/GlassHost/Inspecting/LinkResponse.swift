import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets

/// What each market makes of a link.
struct LinkResponse: Encodable {
    struct Column: Encodable {
        let market: String
        /// Why the link goes where it goes; nil for a market without a good version.
        @Nullable var explanation: LinkOutput?
        /// What became of it when it was opened; nil where no handler of the market would see it, or the market's files
        /// are not those in use.
        @Nullable var dispatch: DispatchOutput?
        /// The market's own link that does the same.
        @Nullable var translated: String?
        /// Why there is none.
        @Nullable var untranslated: String?
        /// Why it was not opened.
        @Nullable var note: String?
    }

    let link: String
    let hold: [String]
    /// The market whose link it is; nil where none takes it.
    @Nullable var owner: String?
    let markets: [Column]

    /// Asks each market.
    ///
    /// Nothing leaves the machine: the markets have mocks of their services, and each link is opened in a market that is
    /// loaded for it alone, so that one link does not change what becomes of the next.
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
        // What is wrong with files that were saved this moment, the store is about to say.
        guard isCurrent, let own = try? markets.loader.load(market) else {
            note = "the file on the disk is broken, so the link was not opened"
            return
        }
        own.preconditions.satisfyAll(but: Set(held))
        do {
            let result = try OpenCommand.finalResult(of: link, in: own, within: .seconds(2))
            dispatch = DispatchOutput(result, [], market: market)
        } catch is CommandFailure {
            note = "the handler was still at work after 2 seconds"
        }
    }
}

extension MarketPreconditions {
    /// Satisfies every precondition but some; names that the market does not have are another market's.
    fileprivate func satisfyAll(but held: Set<String>) {
        satisfyAll()
        for name in names where held.contains(name) { try? reset(name) }  // it is one of the names
    }
}
