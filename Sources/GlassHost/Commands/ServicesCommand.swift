import GlassBase
import ArgumentParser
import GlassMarketFiles
import GlassMarkets
import GlassSchema

struct ServicesCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "services",
        abstract: "Lists the services of a market's container.",
        usage: "glass-host services [<options>] [<service>]",
        discussion: """
            Prints each service, its implementation, its dependencies, which keys of the market configure it, and \
            whether the container can resolve it. Exits with 1 if a service cannot be resolved. If the table is wider \
            than the terminal, some columns are omitted; name a service to show all of its details.

            EXAMPLES
              glass-host services
              glass-host services Networking
              glass-host services -m mx --services mock
            """
    )

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("The service to show. (default: all services)", valueName: "service"), completion: .services)
    var name: String?

    func run(in session: Session) throws {
        let market = try session.market()
        var rows = try market.services(budget: session.budget()).map { ServiceDescription($0, $1, in: market.module) }
        let users = Dictionary(grouping: rows.flatMap { row in row.needs.map { ($0, row.name) } }, by: \.0)
        if let name {
            let near = Suggestion.nearest(to: name, in: rows.map(\.name)).map { "; did you mean \"\($0)\"?" }
            rows = rows.filter { $0.name == name }
            guard !rows.isEmpty else {
                throw CommandFailure(
                    status: .impossible,
                    "the market \(market.id) has no service \(DisplayText(name.quotedForMessage))\(near ?? "; services lists them")"
                )
            }
        }
        if session.console.isJSON {
            try session.console.result(json: ["market": market.id, "services": rows.map(\.json)])
        } else if name != nil {
            for row in rows { print(row, usedBy: users[row.name]?.map(\.1) ?? [], on: session.console) }
        } else {
            session.console.result(Self.table(rows, session.console))
        }
        if rows.contains(where: { $0.implementation == nil }) { throw CommandFailure(status: .no) }
    }

    private static var columns: [(head: DisplayText, cell: (ServiceDescription) -> DisplayText)] {
        [
            ("SERVICE", { "\($0.name)" }), ("RESOLVED", { $0.implementation == nil ? "no" : "yes" }),
            ("IMPLEMENTATION", { "\($0.implementation ?? "-")" }), ("SCOPE", { "\($0.scope)" }),
            ("CONFIGURED BY", { "\($0.configuredBy.joined(separator: ", "))" }),
            ("NEEDS", { "\($0.needs.joined(separator: ", "))" }),
        ]
    }

    /// The first columns that fit completely, at least two.
    private static func table(_ rows: [ServiceDescription], _ console: Console) -> DisplayText {
        var count = 0
        var used = -2
        for column in columns {
            used += 2 + max(column.head.count, rows.map { column.cell($0).count }.max() ?? 0)
            if count >= 2, let width = console.width, used > width { break }
            count += 1
        }
        var table = Table(columns.prefix(count).map(\.head))
        for row in rows { table.add(columns.prefix(count).map { $0.cell(row) }) }
        return table.text(console)
    }

    /// Prints all details of a service, one property per line.
    private func print(_ row: ServiceDescription, usedBy users: [String], on console: Console) {
        console.result("\(row.name, .bold): \(row.summary)", wrappedBy: 2)
        console.result("  implementation: \(row.implementation ?? "none")", wrappedBy: 4)
        console.result("  scope: \(row.scope)", wrappedBy: 4)
        for (title, names) in [("needs", row.needs), ("needed by", users), ("configured by", row.configuredBy)] {
            console.result("  \(title): \(names.isEmpty ? "nothing" : names.joined(separator: ", "))", wrappedBy: 4)
        }
    }
}
