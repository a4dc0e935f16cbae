import GlassBase
import GlassMarkets
import GlassSchema

/// Each value of a market, including defaults, with the values that it overrides. A list is one value.
struct ValuesAnswer: Encodable {
    struct Layer: Encodable {
        let text: String
        @Nullable var position: String?
    }

    struct Row: Encodable {
        let key: String
        let text: String
        /// The position where the value is set; nil for a default.
        @Nullable var position: String?
        let isSecret: Bool
        /// The values that it overrides, nearest first.
        let beat: [Layer]
    }

    let market: String
    let values: [Row]

    /// Lists a market's values.
    init(_ market: Market, _ budget: WorkBudget) throws(WorkBudget.Exceeded) {
        self.market = market.id
        let effective = try market.effective(at: ConfigurationPath(), spending: budget, on: .listing)
        var rows: [Row] = []
        for (path, value) in effective?.keys(at: ConfigurationPath()) ?? [] {
            let written = market.source.node(at: path)
            var layers: [Layer] = []
            for layer in written?.overridden ?? [] {
                try budget.spend(layer.value.weight, on: .listing)
                layers.append(Layer(text: layer.value.written, position: layer.position.map { "\($0)" }))
            }
            var isSecret = false
            if case .secret = value { isSecret = true }
            rows.append(
                Row(
                    key: path.description, text: value.written, position: written?.position.map { "\($0)" },
                    isSecret: isSecret, beat: layers))
        }
        values = rows
    }
}
