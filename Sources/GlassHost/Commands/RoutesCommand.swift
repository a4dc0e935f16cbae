import GlassBase
import ArgumentParser
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema

struct RoutesCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract: "Lists the routes of a market.",
        usage: "glass-host routes [<options>] [<url>]",
        discussion: """
            Prints each pattern, the routable that it opens, what its links wait for, and where it is declared. \
            --verbose also shows how many nodes of the route table a link visits in the worst case. With a link, \
            lists the routes of the market that has its scheme or host, or allows its domain.

            EXAMPLES
              glass-host routes
              glass-host routes -m ca --format json
              glass-host routes walmart.ca://account
            """
    )

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(help: ArgumentHelp("A link of the market, instead of --market.", valueName: "url"))
    var link: String?

    func validateArguments() throws {
        if let link, !link.contains(":") {
            throw ValidationError("\(link.quotedForMessage) is not a link; name a market with --market")
        }
    }

    func run(in session: Session) throws {
        let market = try session.market(for: link, services: .mock)
        let routes = try market.routes(budget: session.budget())
        try session.noteUnset(in: market, below: "routables", session.budget())
        let table = market.deepLinker.table
        if session.console.isJSON {
            let routes: [JSONObject] = routes.map {
                [
                    "pattern": $0.pattern, "routable": $0.routable, "waitsFor": $0.waitsFor,
                    "declared": Self.origin(of: $0),
                ]
            }
            return try session.console.result(
                json: ["market": market.id, "routes": routes, "worstVisits": table.worstVisits])
        }
        var listing = Table("PATTERN", "ROUTABLE", "WAITS FOR", "DECLARED")
        for route in routes {
            listing.add("\(route.pattern)", "\(route.routable)", "\(route.waitsFor)", "\(Self.origin(of: route))")
        }
        session.console.result(listing.text(session.console))
        if session.console.isVerbose {
            let count = (table.isWorstVisitsExact ? "" : "at most ") + "\(table.worstVisits)"
            session.console.result(
                "\(routes.count) routes; the worst-case link, \"\(table.worstLink)\", visits \(count) nodes")
        }
    }

    /// The position where a route is declared, unless it is a standard one.
    private static func origin(of route: MarketRoute) -> String { route.origin?.description ?? "standard" }
}
