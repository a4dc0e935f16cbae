import ArgumentParser
import GlassMarkets
import GlassPlatform
import GlassSchema

struct ExplainCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Says where a value of a market came from.",
        discussion: """
            The value, the place that wrote it, every value of the extended markets that it beat, what the key is for and \
            accepts, and which services read it. Secrets show their name.

            EXAMPLES
              glass-host explain platform.networking.retry.maxAttempts -m ca
              glass-host explain currency -m mx --format json
            """)

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(help: ArgumentHelp("What to explain, such as platform.networking.retry.", valueName: "key.path"))
    var key: String

    func run(in session: Session) throws {
        let market = try session.market()
        let path = try market.knownPath(key)
        let output = Output(path, in: market)
        if session.console.isJSON {
            try session.console.result(json: output)
            return
        }
        let console = session.console
        console.result("\(console.styled(output.key, .bold)) = \(output.found)")
        console.result("  from \(output.position ?? "the default")")
        for layer in output.beat { console.result("  beat \(layer.found)  -- \(layer.position ?? "default")") }
        if let documentation = output.documentation { console.result("  \(documentation)") }
        if let accepts = output.accepts { console.result("  accepts \(accepts)") }
        if output.appliesOn != KeyDeclaration.Platform.all.rawValue {
            console.result("  applies on: \(output.appliesOn)")
        }
        if !output.readBy.isEmpty { console.result("  read by \(output.readBy.joined(separator: ", "))") }
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

        let market: String
        let key: String
        let value: JSONValue
        let found: String
        @Nullable var position: String?
        let beat: [Layer]
        @Nullable var documentation: String?
        @Nullable var accepts: String?
        let appliesOn: String
        let readBy: [String]

        init(_ path: ConfigurationPath, in market: Market) {
            self.market = market.id
            key = path.description
            let effective = market.effective.node(at: path)?.value ?? .emptyTable
            value = JSONValue(effective)
            found = effective.found
            let written = market.source.node(at: path)
            position = written?.position.map { "\($0)" }
            beat = (written?.overridden ?? []).map(Layer.init)
            let declaration = MarketDefinition.declaration.key(at: path)
            documentation = declaration?.documentation
            accepts = declaration?.type.expectation
            appliesOn = (declaration?.appliesOn ?? .all).rawValue
            readBy = PlatformCatalogue.services.filter { service in
                service.configuredBy.contains { $0.isPrefix(of: path) || path.isPrefix(of: $0) }
            }.map(\.name)
        }
    }
}

extension ConfigurationPath {
    /// Whether another path leads to this one's value or below it.
    fileprivate func isPrefix(of other: ConfigurationPath) -> Bool {
        other.elements.starts(with: elements)
    }
}
