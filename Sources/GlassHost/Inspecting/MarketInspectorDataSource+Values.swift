import GlassBase
import GlassMarkets
import GlassSchema

extension MarketInspectorDataSource {
    /// Each value of a market, including defaults, with the values that it overrides, nearest first, and its value in
    /// the default situation if that differs. A list is one value, and so is what a flag gives, above its keys. Keys that
    /// exist only in the default situation are listed separately.
    func values(of page: PageMarket) throws(WorkBudget.Exceeded) -> JSONObject {
        let budget = session.budget()
        let market = page.own
        var others = try page.otherwise.map { market throws(WorkBudget.Exceeded) in
            try keys(of: market, budget).reduce(into: [:]) { $0[$1.path] = $1.value }
        }
        var rows: [JSONObject] = []
        var flags = flags(of: page)
        for (path, value) in try keys(of: market, budget) {
            if path.elements.first == .key("flags") {
                rows += flags
                flags = []
            }
            let written = market.source.node(at: path)
            var layers: [JSONObject] = []
            for layer in written?.overridden ?? [] {
                try budget.spend(layer.value.weight, on: .listing)
                layers.append(["text": layer.value.written, "position": layer.position?.description])
            }
            var isSecret = false
            if case .secret = value { isSecret = true }
            var row: JSONObject = [
                "key": path.description, "text": value.written, "position": written?.position?.description,
                "isSecret": isSecret, "beat": layers, "otherwise": nil,
            ]
            if let otherwise = page.otherwise {
                let other = others?.removeValue(forKey: path)
                if other != value { row["otherwise"] = Self.value(other, at: path, of: otherwise) }
            }
            rows.append(row)
        }
        let absent: [JSONObject] = (others ?? [:]).map { ($0.description, $0, $1) }.sorted { $0.0 < $1.0 }
            .map { ["key": $0, "otherwise": Self.value($2, at: $1, of: page.byDefault)] }
        return ["market": market.id, "values": rows, "absent": absent]
    }

    /// What each flag gives in the situation, and why.
    private func flags(of page: PageMarket) -> [JSONObject] {
        let now = session.clock()
        func text(_ report: FlagReport) -> String { "\(report.value) (\(report.why))" }
        let others = page.otherwise?.flagReports([], now: now) ?? []
        return page.own.flagReports([], now: now).map { report in
            let position = report.rule?.position ?? report.flag.position
            var row: JSONObject = [
                "key": ConfigurationPath([.key("flags"), .key(report.flag.name)]).description, "text": text(report),
                "position": position?.description, "isSecret": false, "beat": [JSONObject](), "otherwise": nil,
            ]
            if let other = others.first(where: { $0.flag.name == report.flag.name }), text(other) != text(report) {
                let place = other.rule?.position ?? other.flag.position
                row["otherwise"] = ["text": text(other), "position": place?.description] as JSONObject
            }
            return row
        }
    }

    private func keys(
        of market: Market, _ budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [(path: ConfigurationPath, value: ConfigurationValue)] {
        try market.effective(at: ConfigurationPath(), spending: budget, on: .listing)?.keys(at: ConfigurationPath())
            ?? []
    }

    /// A value in the default situation; its text is null if the key is absent there.
    private static func value(
        _ value: ConfigurationValue?, at path: ConfigurationPath, of market: Market
    ) -> JSONObject {
        [
            "text": value?.written,
            "position": value == nil ? nil : market.source.node(at: path)?.position?.description,
        ]
    }

    /// The details of a value, and its value in the default situation if that differs.
    func value(_ key: String, of page: PageMarket) throws -> JSONObject {
        let budget = session.budget()
        let path = try page.own.knownPath(key, budget: budget, takingDropped: true)
        let explanation = try ValueExplanation(
            path, in: page.own, nil, readBy: module, hidesPersonal: true, budget)
        var json = explanation.json
        json["otherwise"] = nil
        if let otherwise = page.otherwise {
            let other = try otherwise.effective(at: path, spending: budget, on: .explaining)?.value
            if other != explanation.value { json["otherwise"] = Self.value(other, at: path, of: otherwise) }
        }
        return json
    }

    /// The keys that each market sets, each cell with that of the default situation if it differs.
    func matrix(_ markets: PageMarkets) throws -> JSONObject {
        let all = try markets.all()
        guard all.contains(where: { $0.otherwise != nil }) else {
            return try MarketMatrix(all.map(\.own), budget: session.budget()).json()
        }
        let matrix = try MarketMatrix(all.map(\.own) + all.map(\.byDefault), budget: session.budget())
        return matrix.json(besideLast: all.count)
    }

    /// The difference between two markets, each side with that of the default situation if it differs, and the keys and
    /// links that differ only there.
    func comparison(of pages: [PageMarket]) throws -> JSONObject {
        let (markets, budget) = (pages.map(\.own), session.budget())
        let difference = try MarketDifference(markets, budget: budget)
        let situations = try session.situations(of: markets, beside: difference)
        guard pages.contains(where: { $0.otherwise != nil }) else { return difference.json(with: situations) }
        var json = try difference.json(with: situations, changes: pages.map { try $0.change(budget) })
        let byDefault = try MarketDifference(pages.map(\.byDefault), budget: budget)
        let (keys, links) = (Set(difference.keys.map(\.path)), Set(difference.links.map(\.routable)))
        json["onlyByDefault"] =
            byDefault.keys.filter { !keys.contains($0.path) }.map(\.path.description)
            + byDefault.links.filter { !links.contains($0.routable) }.map { "routables.\($0.routable)" }
        return json
    }
}
