import GlassBase
import GlassMarkets
import GlassPlatform
import GlassSchema

/// The origin of a market's value, with secrets by name.
struct ValueExplanation {
    let market: String
    let key: String
    let value: ConfigurationValue?
    let found: String
    let position: SourcePosition?
    let remote: String?
    let overridden: [ConfigurationNode.Layer]
    /// The position where the key was dropped.
    let dropped: SourcePosition?
    let elements: [ValueHistory.Element]
    let removed: [ValueHistory.Removal]
    let documentation: String?
    let accepts: String?
    let appliesOn: String
    let isRemote: Bool
    let readBy: [String]
    /// What the files say in other situations.
    let alternatives: ValueAlternatives

    /// Explains a value.
    ///
    /// - Parameter hidesPersonal: Whether the reasons leave out the values of personal attributes.
    init(
        _ path: ConfigurationPath, in market: Market, _ remoteLayer: RemoteConfigurationLayer?,
        readBy module: MarketModule? = nil, hidesPersonal: Bool = false, _ budget: WorkBudget
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
        value = effective
        found = effective?.found ?? "nothing"
        position = isOver ? nil : written?.position
        remote = isOver ? remoteLayer?.text : nil
        dropped = history.dropped
        let layers = history.dropped == nil ? written?.overridden ?? [] : history.overridden
        let replaced = isOver ? own.map { ConfigurationNode.Layer(value: $0, position: written?.position) } : nil
        overridden = [replaced].compactMap(\.self) + layers
        for layer in layers { try layer.value.spend(budget, on: .explaining) }
        // Remote configuration replaces a list as a whole.
        elements = isOver ? [] : history.elements
        removed = isOver ? [] : history.removals
        let declaration = market.schema.declaration.key(at: path)
        documentation = declaration?.documentation
        accepts = declaration?.type.expectation
        appliesOn = (declaration?.appliesOn ?? .all).rawValue
        isRemote = declaration?.isRemote ?? false
        // Mocks read no keys, so the caller may pass the module with live services.
        readBy = (module ?? market.module).readers(of: path).map(\.name)
        alternatives = ValueAlternatives(of: path, in: market, hidesPersonal: hidesPersonal)
    }

    var json: JSONObject {
        [
            "market": market,
            "key": key,
            "value": value.map(JSONValue.init),
            "found": found,
            "position": position?.description,
            "remote": remote,
            "beat": overridden.map(\.json),
            "dropped": dropped?.description,
            "elements": elements.map(\.json),
            "removed": removed.map(\.json),
            "documentation": documentation,
            "accepts": accepts,
            "appliesOn": appliesOn,
            "isRemote": isRemote,
            "readBy": readBy,
            "alternatives": alternatives.json,
            "unset": alternatives.unset,
        ]
    }
}

extension ConfigurationNode.Layer {
    fileprivate var json: JSONObject {
        ["value": JSONValue(value), "found": value.found, "position": position?.description]
    }
}

extension ValueHistory.Element {
    fileprivate var json: JSONObject {
        [
            "value": JSONValue(value), "found": value.summary, "position": position?.description, "word": directive,
        ]
    }
}

extension ValueHistory.Removal {
    fileprivate var json: JSONObject {
        [
            "value": JSONValue(value), "found": value.summary, "position": position?.description,
            "removed": removed?.description,
        ]
    }
}
