import GlassBase
import ArgumentParser
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema

struct ExplainCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explains where a value of a market comes from, or why a link goes where it goes.",
        usage: "glass-host explain [<options>] <key|url>",
        discussion: """
            For a key: the value, where it is written, each value of an extended market that it replaces, what the key is \
            for and accepts, and which services read it. Secrets are shown by name. Of a list each element has the place \
            where it was written, and the word that put it there; then comes what `remove` took out. Of a key that a \
            file drops with `unset`, where it does and what the key had before. With --state, what remote configuration \
            the services received and keep in that folder stands over the files, as it does in an app.

            A key can be the end of a path, such as maxRetries, when only one path ends so.

            For a link, which has a colon: what the gate decided, each candidate and why it lost, what was probably meant \
            here and in other markets, and which other market would take the link. All preconditions hold unless --hold \
            leaves one unmet. Ends with 0 when the market routes the link.

            EXAMPLES
              glass-host explain platform.networking.retry.maxRetries -m ca
              glass-host explain currency -m mx --format json
              glass-host explain walmart://myacount
            """)

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Option(help: ArgumentHelp("Leave this precondition unmet; may be repeated.", valueName: "name"))
    var hold: [String] = []

    @Argument(
        help: ArgumentHelp("What to explain: a key such as platform.networking.retry, or a link.", valueName: "key|url")
    )
    var subject: String

    func run(in session: Session) throws {
        let market = try session.market()
        let allowance = session.allowance()
        if subject.contains(":") { return try explainLink(in: market, allowance, session) }
        let path = try market.knownPath(subject, allowance: allowance, takingDropped: true)
        let remote = RemoteLayer(of: market, in: session)
        let output = try Output(path, in: market, remote, allowance)
        if session.console.isJSON {
            try session.console.result(json: output)
            return
        }
        let console = session.console
        console.result("\(output.key, .bold) = \(output.found)")
        if let dropped = output.dropped {
            console.result("  dropped by unset  -- \(dropped)")
        }
        if output.isThere { console.result("  from \(output.remote ?? output.position ?? "the default")") }
        for layer in output.beat { console.result("  beat \(layer.found)  -- \(layer.position ?? "default")") }
        for (index, element) in output.elements.enumerated() {
            let word: SafeText = element.word.map { " (\($0))" } ?? ""
            console.result("  [\(index + 1)] \(element.found)  -- \(element.position ?? "default")\(word)")
        }
        for gone in output.removed {
            let places: SafeText = "\(gone.removed ?? "unknown") (remove), from \(gone.position ?? "unknown")"
            console.result("  without \(gone.found)  -- \(places)")
        }
        if let documentation = output.documentation { console.result("  \(documentation)") }
        if let accepts = output.accepts { console.result("  accepts \(accepts)") }
        if output.appliesOn != KeyDeclaration.Platform.all.rawValue {
            console.result("  applies on: \(output.appliesOn)")
        }
        if output.isRemote { console.result("  remote configuration may change it") }
        if !output.readBy.isEmpty { console.result("  read by \(output.readBy.joined(separator: ", "))") }
    }

    private func explainLink(in market: Market, _ allowance: Allowance, _ session: Session) throws {
        try market.preconditions.satisfyAll(but: hold)
        var explanation = try market.explain(subject, allowance: allowance)
        let markets = try session.markets()
        let ids = try session.reporting { try markets.marketIDs() }
        let others = try NearestRoute.others(
            for: subject, in: ids.filter { $0 != market.id }, markets, session.console, allowance: allowance)
        explanation.takers = others.takers
        // What another market has is of use for a link that goes nowhere.
        let nearest = explanation.candidates.contains(where: \.isWinner) ? [] : others.nearest
        if session.console.isJSON {
            try session.console.result(json: LinkOutput(explanation, nearest, market: market.id))
        } else {
            session.console.result(
                (explanation.lines + nearest.map { $0.line(in: market.id) }).joined(separator: "\n"))
        }
        guard case .routed = explanation.result.outcome else { throw CommandFailure(status: .no) }
    }

    private struct LinkOutput: Encodable {
        struct Candidate: Encodable {
            let pattern: String
            let routable: String
            let wins: Bool
            let reason: String
        }

        let market: String
        let link: String
        let outcome: String
        @Nullable var reason: String?
        @Nullable var refusal: String?
        let scheme: String
        let host: String
        let segments: [String]
        let candidates: [Candidate]
        let nearMisses: [NearestRoute]
        let takers: [String]

        init(_ explanation: LinkExplanation, _ others: [NearestRoute], market: String) {
            self.market = market
            link = explanation.result.text
            outcome = explanation.result.outcome.name
            reason = explanation.result.reason
            refusal = explanation.refusal?.description
            scheme = explanation.scheme
            host = explanation.host
            segments = explanation.segments
            candidates = explanation.candidates.map {
                Candidate(
                    pattern: $0.declaration.pattern, routable: $0.declaration.routableID, wins: $0.isWinner,
                    reason: $0.reason)
            }
            nearMisses = explanation.nearMisses.map { NearestRoute($0, in: market) } + others
            takers = explanation.takers
        }
    }

    private struct Output: Encodable {
        struct Layer: Encodable {
            let value: JSONValue
            let found: String
            @Nullable var position: String?

            init(_ layer: ConfigurationNode.Layer) {
                value = JSONValue(layer.value)
                found = layer.value.found
                position = layer.position.map { "\($0)" }
            }
        }

        struct Element: Encodable {
            let value: JSONValue
            let found: String
            @Nullable var position: String?
            @Nullable var word: String?

            init(_ element: ValueHistory.Element) {
                value = JSONValue(element.value)
                found = element.value.summary
                position = element.position.map { "\($0)" }
                word = element.word
            }
        }

        struct Removal: Encodable {
            let value: JSONValue
            let found: String
            @Nullable var position: String?
            @Nullable var removed: String?

            init(_ removal: ValueHistory.Removal) {
                value = JSONValue(removal.value)
                found = removal.value.summary
                position = removal.position.map { "\($0)" }
                removed = removal.removed.map { "\($0)" }
            }
        }

        let market: String
        let key: String
        @Nullable var value: JSONValue?
        let found: String
        @Nullable var position: String?
        @Nullable var remote: String?
        let beat: [Layer]
        /// Where the key was dropped.
        @Nullable var dropped: String?
        let elements: [Element]
        let removed: [Removal]
        @Nullable var documentation: String?
        @Nullable var accepts: String?
        let appliesOn: String
        let isRemote: Bool
        let readBy: [String]

        /// Whether there is a value, be it the default.
        var isThere: Bool { value != nil }

        init(
            _ path: ConfigurationPath, in market: Market, _ remoteLayer: RemoteLayer?, _ allowance: Allowance
        ) throws(Allowance.Exceeded) {
            self.market = market.id
            key = path.description
            let node = try market.effective(at: path, spending: allowance, on: .explaining)
            let history = try market.history(of: path, value: node, allowance: allowance)
            // A section of which nothing is written has keys with defaults or none.
            let own = node?.value ?? (history.dropped == nil ? .emptyTable : nil)
            let written = market.source.node(at: path)
            let over = remoteLayer?.configuration.value(at: path)
            // Of a section some keys may come from afar: it is shown as it holds, with what its own place is.
            let isOver = over.map { if case .map = $0 { false } else { true } } ?? false
            let effective = isOver ? over : own
            value = effective.map { JSONValue($0) }
            found = effective?.found ?? "nothing"
            position = isOver ? nil : written?.position.map { "\($0)" }
            remote = isOver ? remoteLayer?.text : nil
            dropped = history.dropped.map { "\($0)" }
            let layers = history.dropped == nil ? written?.overridden ?? [] : history.beat
            let replaced = isOver ? own.map { ConfigurationNode.Layer(value: $0, position: written?.position) } : nil
            beat = ([replaced].compactMap(\.self) + layers).map(Layer.init)
            for layer in layers { try layer.value.spend(allowance, on: .explaining) }
            // What came from afar replaces a list whole.
            elements = isOver ? [] : history.elements.map(Element.init)
            removed = isOver ? [] : history.removals.map(Removal.init)
            let declaration = market.schema.declaration.key(at: path)
            documentation = declaration?.documentation
            accepts = declaration?.type.expectation
            appliesOn = (declaration?.appliesOn ?? .all).rawValue
            isRemote = declaration?.isRemote ?? false
            readBy = market.module.readers(of: path).map(\.name)
        }
    }
}
