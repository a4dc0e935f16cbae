import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

extension TestCommand {
    /// Which of the markets' routes and handlers the tests used.
    struct Coverage: Encodable {
        struct Market: Encodable {
            let id: String
            let routes: [Route]
            let handlers: [Handler]
        }

        struct Route: Encodable {
            let routable: String
            let pattern: String
            let opened: Bool
        }

        struct Handler: Encodable {
            let routable: String
            let run: Bool
        }

        /// The markets in the folder that load, ordered by id.
        let markets: [Market]

        /// Compares the opened routes with all routes of the markets.
        init(_ opened: [OpenedRoutes], _ catalog: any MarketCatalog) throws {
            var all = OpenedRoutes()
            for run in opened { all.formUnion(run) }
            markets = try catalog.marketIDs().compactMap { id in
                guard let market = try catalog.check(id).market else { return nil }
                let coverage = all.coverage(of: market)
                return Market(
                    id: id,
                    routes: coverage.routes.map {
                        Route(routable: $0.route.routable, pattern: $0.route.pattern, opened: $0.isOpened)
                    },
                    handlers: coverage.handlers.map { Handler(routable: $0.routable, run: $0.isRun) })
            }
        }

        /// A line for each market, followed by what no test opened.
        var text: DisplayText {
            markets.flatMap { market -> [DisplayText] in
                let opened = market.routes.count(where: \.opened)
                let run = market.handlers.count(where: \.run)
                var lines: [DisplayText] = [
                    "\(market.id, .bold): tests open \(opened) of \(market.routes.count) routes"
                        + (market.handlers.isEmpty ? "" : " and run \(run) of \(market.handlers.count) handlers")
                ]
                // A market that no test opens gets only one line.
                guard opened > 0 else { return lines }
                lines += market.routes.filter { !$0.opened }.map { "  not opened: \($0.routable) (\($0.pattern))" }
                lines += market.handlers.filter { !$0.run }.map { "  not run: the handler of \($0.routable)" }
                return lines
            }.joined(separator: "\n")
        }
    }
}
