import GlassBase
import ArgumentParser
import GlassContainer
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema

struct GraphCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Draws the services of a market and what each one needs.",
        usage: "glass-host graph [<options>]",
        discussion: """
            Makes every service of a market once and prints what each one took from the container: for Graphviz, for \
            Mermaid, or as JSON with scopes, times and source locations.

            EXAMPLES
              glass-host graph | dot -Tsvg > services.svg
              glass-host graph --as mermaid -m ca
              glass-host graph --as json
            """)

    enum Notation: String, ExpressibleByArgument, CaseIterable {
        case dot
        case mermaid
        case json
    }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Option(help: "The language of the graph; --format json means json.")
    var `as`: Notation?

    func run(in session: Session) throws {
        let market = try session.market()
        _ = try market.services(allowance: session.allowance())
        let graph = market.container.graph
        switch self.as ?? (session.console.isJSON ? .json : .dot) {
        case .dot: session.console.result(SafeText(lines: graph.dot))
        case .mermaid: session.console.result(SafeText(lines: graph.mermaid))
        case .json: session.console.result(SafeText(json: graph.json))
        }
    }
}
