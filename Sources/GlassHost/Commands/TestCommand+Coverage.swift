import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

extension TestCommand {
    /// Which of the markets' routes and handlers the tests used.
    struct Coverage {
        /// The markets in the folder that load, ordered by id.
        private let markets: [RouteCoverage]

        /// Compares the opened routes with all routes of the markets.
        init(_ opened: [OpenedRoutes], _ catalog: SessionMarkets, _ session: Session) throws {
            var all = OpenedRoutes()
            for run in opened { all.formUnion(run) }
            var markets: [RouteCoverage] = []
            let unread = try session.forEach(catalog.marketIDs(), of: catalog, "loading") { _, check in
                if let market = try check().market { markets.append(all.coverage(of: market)) }
            }
            if let unread = UnreadMarkets(unread, session.account) { throw unread.failure }
            self.markets = markets
        }

        var json: JSONObject {
            let markets: [JSONObject] = markets.map { market in
                let routes: [JSONObject] = market.routes.map { route, isOpened in
                    ["routable": route.routable, "pattern": route.pattern, "opened": isOpened]
                }
                let handlers: [JSONObject] = market.handlers.map { ["routable": $0.routable, "run": $0.isRun] }
                return ["id": market.market, "routes": routes, "handlers": handlers]
            }
            return ["markets": markets]
        }

        /// A line for each market, followed by what no test opened.
        var text: DisplayText {
            markets.flatMap { market -> [DisplayText] in
                let opened = market.routes.count(where: \.isOpened)
                let run = market.handlers.count(where: \.isRun)
                var lines: [DisplayText] = [
                    "\(market.market, .bold): tests open \(opened) of \(market.routes.count) routes"
                        + (market.handlers.isEmpty ? "" : " and run \(run) of \(market.handlers.count) handlers")
                ]
                // A market that no test opens gets only one line.
                guard opened > 0 else { return lines }
                for (route, isOpened) in market.routes where !isOpened {
                    lines.append("  not opened: \(route.routable) (\(route.pattern))")
                }
                lines += market.handlers.filter { !$0.isRun }.map { "  not run: the handler of \($0.routable)" }
                return lines
            }.joined(separator: "\n")
        }
    }
}
