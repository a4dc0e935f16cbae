import GlassBase
import ArgumentParser
import GlassContainer
import GlassInspector
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

            --as svg is a picture to look at: a band for each area, what a service needs to its right, and in red what the \
            container finds wrong. It shows what the services declare, and makes none.

            EXAMPLES
              glass-host graph | dot -Tsvg > services.svg
              glass-host graph --as mermaid -m ca
              glass-host graph --as json
              glass-host graph --as svg > services.svg
            """
    ).asSubcommand

    enum Notation: String, ArgumentChoice {
        case dot
        case mermaid
        case json
        case svg
    }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Option(help: "The language of the graph; --format json means json.")
    var `as`: Notation?

    func validate() throws {
        if self.as == .svg, options.format == .json {
            throw ValidationError("--as svg and --format json are two forms; choose one")
        }
    }

    func run(in session: Session) throws {
        if self.as == .svg { return try draw(in: session) }
        let market = try session.market()
        _ = try market.services(budget: session.budget())
        let graph = market.container.graph
        switch self.as ?? (session.console.isJSON ? .json : .dot) {
        case .dot: session.console.result(DisplayText(lines: graph.dot))
        case .mermaid: session.console.result(DisplayText(lines: graph.mermaid))
        case .json: session.console.result(DisplayText(json: graph.json))
        case .svg: break  // drawn above
        }
    }

    /// Draws what is declared, also for a market whose container is wrong: that is what the picture shows.
    private func draw(in session: Session) throws {
        let ids = try session.reporting { try session.markets().marketIDs() }
        if !ids.contains(options.marketID) { _ = try session.market() }
        session.console.write(DisplayText(lines: ServiceDiagram(of: session.program.module).svg))
    }
}
