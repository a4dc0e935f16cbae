import ArgumentParser
import GlassAuthoring
import GlassBase
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
            All preconditions are satisfied except those named with --hold. Exits with 0 if the link was routed, and \
            with 1 for any other outcome: waiting, external, unroutable, refused, or failed. Waits for an asynchronous \
            handler for up to --timeout seconds. Without --market, a link is opened in the market that has its scheme or \
            host, or allows its domain. --from opens every link in a file in one market, \
            that of --market or the default, without waiting for handlers, and prints one line for each link, followed by the totals, the routes that no link used, and those that links \
            nearly match. The file is a list of links or an access log: the Common or Combined Log Format, JSON lines, \
            comma-separated values with a column of links, or the format of a load balancer or a CDN. --golden prints only links whose outcome changed, \
            and exits with 0 if none did.

            EXAMPLES
              glass-host open walmart://account
              glass-host -m ca open walmart.ca://orders --hold signedIn
              glass-host open https://www.walmart.com/ip/123 --format json
              glass-host open walmart://account --translate-to ca
              glass-host open --from access.log -m us
              glass-host open --from links.txt --format json > links.golden
              glass-host open --from links.txt --golden links.golden
            """
    )

    var resultLimit: Int? { nil }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Option(
        help: ArgumentHelp("Leave this precondition unmet; may be repeated.", valueName: "name"),
        completion: .preconditions)
    var hold: [String] = []

    @Flag(
        help:
            "Run the handler with mock services and print the outcome. Opens no other app. With --from, no handlers run."
    )
    var dryRun = false

    @Flag(help: "Use the system's opener for links that leave the app. (default: only print them)")
    var openExternal = false

    @Option(
        help: ArgumentHelp("The maximum time to wait for an asynchronous handler, in seconds.", valueName: "seconds"))
    var timeout = 30.0

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp(
            "Open each link in a list or an access log; - reads standard input.", valueName: "file"),
        completion: .file())
    var source: String?

    @Option(
        help: ArgumentHelp(
            "Report only differences from the output of an earlier run with --from and --format json.",
            valueName: "file"),
        completion: .file())
    var golden: String?

    @Option(
        help: ArgumentHelp(
            "Print the equivalent link in another market without opening anything.", valueName: "market"),
        completion: .markets)
    var translateTo: String?

    @Argument(help: ArgumentHelp("The link.", valueName: "url"))
    var link: String?

    func validateArguments() throws {
        if link == nil, source == nil { throw ValidationError("give a link, or a file of links with --from") }
        if link != nil, source != nil { throw ValidationError("give either a link or --from, not both") }
        if translateTo != nil, source != nil { throw ValidationError("--translate-to takes a link, not --from") }
        guard timeout > 0, timeout <= 86_400 else {
            throw ValidationError("--timeout takes more than 0 and at most 86400 seconds, got \(timeout)")
        }
        if golden != nil, source == nil { throw ValidationError("--golden requires --from") }
    }

    func run(in session: Session) throws {
        let market = try session.market(for: link, opener: openExternal ? .system : nil)
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
                        json: ["link": link, "market": translateTo, "translated": translated])
                } else {
                    session.console.result("\(translated)")
                }
            } catch let error as LinkBuildingError {
                throw CommandFailure(status: .no, "\(error)")
            }
            return
        }
        let dryTrial = try dryRun ? session.trial(of: market, holding: hold) : nil
        let result =
            try dryTrial?.result(of: link) ?? Self.finalResult(of: link, in: market, within: .seconds(timeout))
        var nearest: [NearestRoute] = []
        var situations: [LinkSituation] = []
        var refusals: [MarketRefusal] = []
        if result.outcome.opensNothingInApp {
            let trial = try dryTrial ?? session.trial(of: market, holding: hold)
            let answer = try trial.answer(to: link, budget: session.budget())
            let own = answer.explanation.nearMisses.map { NearestRoute($0, in: market.id) }
            let others = try OtherMarkets(trying: link, than: trial, session)
            nearest = NearestRoute.together(own, others.nearest)
            refusals = others.refusals
            if let note = others.note, !session.console.isQuiet { session.console.error(note) }
            situations = answer.situations
        }
        if session.console.isJSON {
            var json = result.json(nearest, market: market.id)
            json["situations"] = situations.map(\.json)
            json["refusals"] = refusals.map(\.json)
            try session.console.result(json: json)
        } else {
            print(result, refusals, on: session.console)
            for situation in situations { session.console.result("  \(situation.line)") }
            for route in nearest { session.console.result("  \(route.line(in: market.id))") }
        }
        if case .external = result.outcome, !dryRun { try openOutside(link, of: market) }
        guard case .routed = result.outcome else { throw CommandFailure(status: .no) }
    }

    /// Opens a link and waits for its handler if that is asynchronous, because the process would otherwise exit first.
    static func finalResult(of link: String, in market: Market, within limit: Duration) throws -> DispatchResult {
        let result = LinkTrial.result(of: link, in: market, within: limit)
        if case .running = result.outcome {
            throw CommandFailure(
                status: .no,
                "the handler of \(link) did not finish within \(limit / .seconds(1)) s; raise the limit with --timeout")
        }
        return result
    }

    /// Passes a link to the opener of external links: the system with --open-external, otherwise a message.
    private func openOutside(_ link: String, of market: Market) throws {
        let handler: any ApplicationURLHandler = market.container.get()
        do {
            try BlockingCall.result { try await handler.open(link) }
        } catch let error as ApplicationURLError {
            throw CommandFailure(status: .no, "\(error)")
        }
    }

    private func print(_ result: DispatchResult, _ refusals: [MarketRefusal], on console: Console) {
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
        if refusals.count > 1 {
            for line in MarketRefusal.lines(refusals) { console.result("  \(line)") }
        } else if let explanation = result.outcome.explanation {
            console.result("  \(explanation)")
        }
        if isRouted {
            console.result("  \(result.navigation.line)")
        }
    }
}
