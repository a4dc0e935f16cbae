import GlassBase
import ArgumentParser
import GlassContainer
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassPlatform

struct OpenCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Opens a link in a market and prints the outcome.",
        usage: """
            glass-host open [<options>] <url>
            glass-host open [<options>] --from <file> [--golden <file>]
            """,
        discussion: """
            All preconditions hold unless --hold leaves one unmet. Ends with 0 when the link was routed, with 1 for any \
            other outcome: waiting, external, unroutable, refused, failed. An asynchronous handler is waited for as \
            long as --timeout says. --from opens every link of a file, waits for no handler, and prints a line for each, \
            then the totals. --golden prints only what changed, and 0 means that nothing did.

            EXAMPLES
              glass-host open walmart://account
              glass-host -m ca open walmart.ca://orders --hold signedIn
              glass-host open https://www.walmart.com/ip/123 --format json
              glass-host open walmart://account --translate-to ca
              glass-host open --from links.txt --format json > links.golden
              glass-host open --from links.txt --golden links.golden
            """
    ).asSubcommand

    var resultLimit: Int? { nil }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Option(
        help: ArgumentHelp("Leave this precondition unmet; may be repeated.", valueName: "name"),
        completion: .preconditions)
    var hold: [String] = []

    @Flag(help: "Only print where the link would go; no handler runs.")
    var dryRun = false

    @Flag(help: "Open links that leave the app with the system's opener. (default: only print them)")
    var openExternal = false

    @Option(help: ArgumentHelp("How long an asynchronous handler may take.", valueName: "seconds"))
    var timeout = 30.0

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp("Open each link of a file with one link a line; - is standard input.", valueName: "file"),
        completion: .file())
    var source: String?

    @Option(
        help: ArgumentHelp(
            "Report only what differs from a file that an earlier --from printed with --format json.",
            valueName: "file"),
        completion: .file())
    var golden: String?

    @Option(
        help: ArgumentHelp(
            "Print the link of another market that does the same, and open nothing.", valueName: "market"),
        completion: .markets)
    var translateTo: String?

    @Argument(help: ArgumentHelp("The link.", valueName: "url"))
    var link: String?

    func validate() throws {
        if link == nil, source == nil { throw ValidationError("give a link, or a file of links with --from") }
        if link != nil, source != nil { throw ValidationError("give either a link or --from, not both") }
        if translateTo != nil, source != nil { throw ValidationError("--translate-to takes a link, not --from") }
        guard timeout > 0, timeout <= 86_400 else {
            throw ValidationError("--timeout takes more than 0 and at most 86400 seconds, got \(timeout)")
        }
        if golden != nil, source == nil { throw ValidationError("--golden compares the links of --from") }
    }

    func run(in session: Session) throws {
        let market = try session.market(opener: openExternal ? .system : nil)
        try market.preconditions.satisfyAll(but: hold)
        if let source {
            let replay = LinkReplay(market: market, console: session.console, isDryRun: dryRun)
            guard try replay.run(from: source, golden: golden) else { throw CommandFailure(status: .no) }
            return
        }
        let link = link ?? ""
        if let translateTo {
            let other = try session.reporting { try session.markets().load(translateTo) }
            do {
                let translated = try market.translate(link, to: other, budget: session.budget())
                if session.console.isJSON {
                    try session.console.result(
                        json: Translation(link: link, market: translateTo, translated: translated))
                } else {
                    session.console.result("\(translated)")
                }
            } catch let error as LinkBuildingError {
                throw CommandFailure(status: .no, "\(error)")
            }
            return
        }
        let result =
            try dryRun
            ? market.deepLinker.dryRun(link) : Self.finalResult(of: link, in: market, within: .seconds(timeout))
        var nearest: [NearestRoute] = []
        if case .unroutable = result.outcome { nearest = try nearestRoutes(in: market, session) }
        if session.console.isJSON {
            try session.console.result(json: DispatchOutput(result, nearest, market: market.id))
        } else {
            print(result, on: session.console)
            for route in nearest { session.console.result("  \(route.line(in: market.id))") }
        }
        if case .external = result.outcome, !dryRun { try openOutside(link, of: market) }
        guard case .routed = result.outcome else { throw CommandFailure(status: .no) }
    }

    /// What the link was probably meant to be, in its market and in others.
    private func nearestRoutes(in market: Market, _ session: Session) throws -> [NearestRoute] {
        let (link, budget, markets) = (link ?? "", session.budget(), try session.markets())
        let ids = try session.reporting { try markets.marketIDs() }
        let others = try NearestRoute.others(
            for: link, than: market, in: ids.filter { $0 != market.id }, markets, session.console,
            budget: budget)
        let own = try market.explain(link, budget: budget).nearMisses
        return NearestRoute.once(own.map { NearestRoute($0, in: market.id) } + others.nearest)
    }

    /// Opens a link and waits for its handler where that is asynchronous: the process would end before it.
    static func finalResult(of link: String, in market: Market, within limit: Duration) throws -> DispatchResult {
        let (results, continuation) = AsyncStream.makeStream(of: DispatchResult.self)
        market.deepLinker.updateHooks { hooks in
            let before = hooks.outcomeHandler
            hooks.outcomeHandler = { result in
                before?(result)
                continuation.yield(result)
            }
        }
        let result = market.open(link)
        guard case .running = result.outcome else { return result }
        let final = try BlockingCall.result(within: limit) {
            // Nothing else is opened, so the next outcome is that of the link. None comes where the wait was cancelled.
            for await final in results { return final }
            return result
        }
        if case .running = final.outcome {
            throw CommandFailure(
                status: .no,
                "the handler of \(link) is still at work after \(limit / .seconds(1)) s; give it longer with --timeout")
        }
        return final
    }

    /// Hands a link to what opens links outside of the app: the system with --open-external, else a message.
    private func openOutside(_ link: String, of market: Market) throws {
        let handler: any ApplicationURLHandler = market.container.get()
        do {
            try BlockingCall.result { try await handler.open(link) }
        } catch let error as ApplicationURLError {
            throw CommandFailure(status: .no, "\(error)")
        }
    }

    private struct Translation: Encodable {
        let link: String
        let market: String
        let translated: String
    }

    private func print(_ result: DispatchResult, on console: Console) {
        let isRouted = result.outcome == .routed
        var line: DisplayText = "\(result.outcome.name, isRouted ? .green : .red)"
        if let routable = result.routableID { line += " \(routable)" }
        if let pattern = result.pattern { line += " (\(pattern))" }
        console.result(line)
        for parameter in result.parameters.elements {
            let note = parameter.isAmbiguous ? " (written \(parameter.rawValue))" : ""
            console.result("  \(parameter.name) = \(parameter.value)\(note)")
        }
        for item in result.queryItems { console.result("  ?\(item.description)") }
        if let explanation = result.outcome.explanation { console.result("  \(explanation)") }
        if isRouted, !dryRun {
            let screens = result.navigation.screens.map { screen in
                screen.name
                    + (screen.parameters.isEmpty
                        ? ""
                        : "(\(screen.parameters.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")))")
            }
            console.result("  tab \(([result.navigation.tab] + screens).joined(separator: " › "))")
        }
    }
}
