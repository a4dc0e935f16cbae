import GlassBase
import ArgumentParser
import GlassMarketFiles
import GlassMarkets
import GlassSchema

struct FlagsCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "flags",
        abstract: "Lists the flags of markets, with their values and the reasons.",
        usage: "glass-host flags [<options>] [<flag> ...]",
        discussion: """
            Prints for each flag its value in the situation that --context describes, the reason in OpenFeature's \
            terms with the rule that matched, its kind, owner, and expiry date, and the percentages of its rules. \
            Without a market, prints the flags of all markets in the folder. `explain flags.NAME` shows each rule of a \
            flag. Exits with 1 if no market has a flag that you name.

            EXAMPLES
              glass-host flags
              glass-host flags newCheckout -m ca --context region=CA-QC,customerID=100234
              glass-host flags -m us --context-file person.json --format json
            """
    )

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("The flags to show. (default: all flags)", valueName: "flag"), completion: .flags)
    var names: [String] = []

    /// The flags of a market.
    private struct MarketReport {
        let market: String
        let flags: [FlagReport]

        /// The result for the market.
        func json(naming names: [String]) -> JSONObject {
            let found = Set(flags.map(\.flag.name))
            let rows =
                flags.map { (name: $0.flag.name, json: $0.json) }
                + Set(names).subtracting(found).map { (name: $0, json: FlagReport.missing($0)) }
            return ["market": market, "flags": rows.sorted { $0.name < $1.name }.map(\.json)]
        }
    }

    func run(in session: Session) throws {
        let now = session.clock()
        var known: Set<String> = []
        func report(_ market: Market) -> MarketReport {
            known.formUnion(market.flags.set.flags.keys)
            return MarketReport(market: market.id, flags: market.flagReports(names, now: now))
        }
        if options.namedMarket != nil {
            let reported = report(try session.market())
            if session.console.isJSON {
                try session.console.result(json: reported.json(naming: names))
            } else {
                print([reported], on: session.console)
            }
        } else {
            let markets = try session.markets()
            let ids = try session.reporting { try markets.marketIDs() }
            guard !ids.isEmpty else { throw markets.isEmptyFailure }
            let all = try session.map(ids, of: markets, "loading", report)
            if session.console.isJSON {
                try session.console.result(json: ["markets": all.map { $0.json(naming: names) }])
            } else {
                print(all, on: session.console)
            }
        }
        if let name = names.first(where: { !known.contains($0) }) {
            throw CommandFailure(status: .no, unknown(name, known))
        }
    }

    /// The message for a flag that no market has.
    private func unknown(_ name: String, _ known: Set<String>) -> DisplayText {
        let subject: DisplayText =
            options.namedMarket.map { "the market \($0) has no flag" } ?? "no market has a flag"
        let near = Suggestion.nearest(to: name, in: known.sorted()).map { "did you mean \"\($0)\"?" as DisplayText }
        let advice: DisplayText = known.isEmpty ? "it has none" : "the flags are \(known.sorted().listed)"
        return "\(subject) \(DisplayText(name.quotedForMessage)); \(near ?? advice)"
    }

    private func print(_ reports: [MarketReport], on console: Console) {
        let rows = reports.flatMap { report in report.flags.map { (report.market, $0) } }
        guard !rows.isEmpty else {
            if names.isEmpty, !console.isQuiet { console.result("no flags") }
            return
        }
        let head: [DisplayText] = ["FLAG", "VALUE", "WHY", "KIND", "OWNER", "EXPIRES", "SHARES"]
        var table = Table((reports.count > 1 ? ["MARKET"] : []) + head)
        for (market, report) in rows {
            let definition = report.flag.definition
            let cells: [DisplayText] = [
                "\(report.flag.name)", "\(report.value)", "\(report.why)", "\(definition.kind.rawValue)",
                "\(definition.owner ?? "-")", "\(report.expiry ?? "-")",
                "\(report.flag.sharesText.isEmpty ? "-" : report.flag.sharesText)",
            ]
            table.add((reports.count > 1 ? ["\(market)"] : []) + cells)
        }
        console.result(table.text(console))
    }
}
