import GlassBase
import GlassMarkets
import GlassPlatform
import GlassSchema

/// The origin of a market's value, as JSON, with secrets by name.
struct ValueExplanation: Encodable {
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
    /// The position where the key was dropped.
    @Nullable var dropped: String?
    let elements: [Element]
    let removed: [Removal]
    @Nullable var documentation: String?
    @Nullable var accepts: String?
    let appliesOn: String
    let isRemote: Bool
    let readBy: [String]

    /// Whether there is a value, including a default.
    var isThere: Bool { value != nil }

    init(
        _ path: ConfigurationPath, in market: Market, _ remoteLayer: RemoteConfigurationLayer?,
        readBy module: MarketModule? = nil, _ budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        self.market = market.id
        key = path.description
        let node = try market.effective(at: path, spending: budget, on: .explaining)
        let history = try market.history(of: path, value: node, budget: budget)
        // A section in which nothing is set is an empty table.
        let own = node?.value ?? (history.dropped == nil ? .emptyTable : nil)
        let written = market.source.node(at: path)
        let over = remoteLayer?.configuration.value(at: path)
        // Remote configuration may set only some keys of a section, so a section is shown with its own value and
        // position.
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
        for layer in layers { try layer.value.spend(budget, on: .explaining) }
        // Remote configuration replaces a list as a whole.
        elements = isOver ? [] : history.elements.map(Element.init)
        removed = isOver ? [] : history.removals.map(Removal.init)
        let declaration = market.schema.declaration.key(at: path)
        documentation = declaration?.documentation
        accepts = declaration?.type.expectation
        appliesOn = (declaration?.appliesOn ?? .all).rawValue
        isRemote = declaration?.isRemote ?? false
        // Mocks read no keys, so the caller may pass the module with live services.
        readBy = (module ?? market.module).readers(of: path).map(\.name)
    }
}
