import GlassBase
import GlassMarkets
import GlassSchema

extension MarketInspectorDataSource {
    /// Each value of a market, including defaults, with the values that it overrides, nearest first. A list is one
    /// value.
    func values(of market: Market) throws(WorkBudget.Exceeded) -> JSONObject {
        let budget = session.budget()
        let effective = try market.effective(at: ConfigurationPath(), spending: budget, on: .listing)
        var rows: [JSONObject] = []
        for (path, value) in effective?.keys(at: ConfigurationPath()) ?? [] {
            let written = market.source.node(at: path)
            var layers: [JSONObject] = []
            for layer in written?.overridden ?? [] {
                try budget.spend(layer.value.weight, on: .listing)
                layers.append(["text": layer.value.written, "position": layer.position?.description])
            }
            var isSecret = false
            if case .secret = value { isSecret = true }
            rows.append(
                [
                    "key": path.description, "text": value.written, "position": written?.position?.description,
                    "isSecret": isSecret, "beat": layers,
                ])
        }
        return ["market": market.id, "values": rows]
    }
}
