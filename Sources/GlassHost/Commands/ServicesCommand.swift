import GlassBase
import ArgumentParser
import GlassMarketFiles
import GlassMarkets
import GlassSchema

struct ServicesCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "services",
        abstract: "Lists the services of a market's container.",
        usage: "glass-host services [<options>]",
        discussion: """
            Prints each service, its implementation, what it needs, which keys of the market configure it, and whether \
            the container has it. Ends with 1 when one is missing.

            EXAMPLES
              glass-host services
              glass-host services -m mx --services mock
            """)

    @OptionGroup(title: "Global options") var options: GlobalOptions

    func run(in session: Session) throws {
        let market = try session.market()
        let rows = try market.services(allowance: session.allowance()).map { Row($0, $1, in: market.module) }
        if session.console.isJSON {
            try session.console.result(json: Output(market: market.id, services: rows))
        } else {
            var table = Table("SERVICE", "IMPLEMENTATION", "SCOPE", "NEEDS", "CONFIGURED BY", "RESOLVED")
            for row in rows {
                table.add(
                    "\(row.name)", "\(row.implementation ?? "-")", "\(row.scope)",
                    "\(row.needs.joined(separator: ", "))",
                    "\(row.configuredBy.joined(separator: ", "))", row.implementation == nil ? "no" : "yes")
            }
            session.console.result(table.text(session.console))
        }
        if rows.contains(where: { $0.implementation == nil }) { throw CommandFailure(status: .no) }
    }

    private struct Row: Encodable {
        let name: String
        let summary: String
        @Nullable var implementation: String?
        let scope: String
        let needs: [String]
        let configuredBy: [String]

        init(_ service: Service, _ instance: Any?, in module: MarketModule) {
            name = service.name
            summary = service.summary
            implementation = instance.map { "\(Swift.type(of: $0))" }
            scope = service.providesChild ? "kept, own child" : "kept"
            needs = service.requires.filter { type in module.services.contains { $0.type == type } }.map { "\($0)" }
            configuredBy = service.configuredBy.map(\.description)
        }
    }

    private struct Output: Encodable {
        let market: String
        let services: [Row]
    }
}
