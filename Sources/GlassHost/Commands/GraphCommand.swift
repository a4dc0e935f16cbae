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
        abstract: "Draws a market's services and their dependencies.",
        usage: "glass-host graph [<options>]",
        discussion: """
            Creates each of a market's services once, and prints what each one resolved from the container, as a \
            Graphviz or Mermaid graph, or as JSON with scopes, times, and source locations.

            --as svg draws a diagram with a band for each area, dependencies to the right of each service, and \
            problems in red. The diagram shows the declared dependencies; no services are created.

            EXAMPLES
              glass-host graph | dot -Tsvg > services.svg
              glass-host graph --as mermaid -m ca
              glass-host graph --as json
              glass-host graph --as svg > services.svg
            """
    )

    enum Notation: String, CaseIterable, ExpressibleByArgument {
        case dot
        case mermaid
        case json
        case svg
    }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Option(help: "The output format; --format json is the same as --as json.")
    var `as`: Notation?

    func validateArguments() throws {
        if self.as == .svg, options.format == .json {
            throw ValidationError("--as svg and --format json cannot be combined")
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

    /// Draws the declared dependencies, even if the container has errors, because the diagram shows them.
    private func draw(in session: Session) throws {
        if let named = options.namedMarket {
            let ids = try session.reporting { try session.markets().marketIDs() }
            if !ids.contains(named) { _ = try session.market() }
        }
        session.console.write(DisplayText(lines: ServiceDiagram(of: session.program.module).svg))
    }
}
