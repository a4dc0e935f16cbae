import ArgumentParser
import GlassDeepLinking
import GlassMarkets

struct OpenCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Opens a link in a market and says what became of it.",
        discussion: """
            All preconditions hold unless --hold leaves one unmet. Ends with 0 when the link was routed, with 1 for any \
            other outcome: waiting, external, unroutable, refused, failed.

            EXAMPLES
              glass-host open walmart://account
              glass-host -m ca open walmart.ca://orders --hold signedIn
              glass-host open https://www.walmart.com/ip/123 --format json
            """)

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Option(help: ArgumentHelp("Leave this precondition unmet; may be repeated.", valueName: "name"))
    var hold: [String] = []

    @Flag(help: "Only say where the link would go.")
    var dryRun = false

    @Argument(help: ArgumentHelp("The link.", valueName: "url"))
    var link: String

    func run(in session: Session) throws {
        let market = try session.market()
        market.preconditions.satisfyAll()
        for name in hold {
            do {
                try market.preconditions.reset(name)
            } catch {
                throw CommandFailure(status: .impossible, "--hold: \(error)")
            }
        }
        let result = dryRun ? market.deepLinker.dryRun(link) : market.open(link)
        if session.console.isJSON {
            try session.console.result(json: Output(result, market: market.id))
        } else {
            print(result, on: session.console)
        }
        guard case .routed = result.outcome else { throw CommandFailure(status: .no) }
    }

    private func print(_ result: DispatchResult, on console: Console) {
        let isRouted = result.outcome == .routed
        var line = console.styled(result.outcome.name, isRouted ? .green : .red)
        if let routable = result.routableID { line += " \(routable)" }
        if let pattern = result.pattern { line += " (\(pattern))" }
        console.result(line)
        for parameter in result.parameters.elements { console.result("  \(parameter.name) = \(parameter.value)") }
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

    private struct Output: Encodable {
        struct Navigation: Encodable {
            struct Screen: Encodable {
                let name: String
                let parameters: [String: String]
            }

            let tab: String
            let screens: [Screen]
        }

        struct QueryItem: Encodable {
            let name: String
            @Nullable var value: String?

            init(name: String, value: String?) {
                self.name = name
                self.value = value
            }
        }

        let outcome: String
        let market: String
        @Nullable var routable: String?
        @Nullable var pattern: String?
        let parameters: [String: String]
        let query: [QueryItem]
        @Nullable var reason: String?
        let navigation: Navigation

        init(_ result: DispatchResult, market: String) {
            outcome = result.outcome.name
            self.market = market
            routable = result.routableID
            pattern = result.pattern
            parameters = result.parameters.dictionary
            query = result.queryItems.map { QueryItem(name: $0.name, value: $0.value) }
            reason = result.reason
            navigation = Navigation(
                tab: result.navigation.tab,
                screens: result.navigation.screens.map {
                    Navigation.Screen(name: $0.name, parameters: $0.parameters)
                })
        }
    }
}
