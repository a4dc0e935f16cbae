import GlassInspector
import GlassMarkets
import GlassSchema

extension MarketInspectorDataSource {
    /// The attributes that a page can set, first those that a condition of some market tests, and which markets ignore
    /// what the page has set.
    func situation(_ markets: PageMarkets, _ pages: [PageMarket]) -> JSONObject {
        let deciding = pages.flatMap { $0.own.origin.situations?.deciding ?? [] }
        let tested = deciding.reduce(into: Set<String>()) { $0.formUnion($1.attributes) }
        let attributes: [JSONObject] =
            (markets.attributes.filter { tested.contains($0.name) }
            + markets.attributes.filter { !tested.contains($0.name) }).map { attribute in
                // A page shows only the personal values that it sets itself.
                let isHidden = attribute.isPrivate && store.context[attribute.name] != nil
                return [
                    "name": attribute.name, "choices": attribute.choices, "example": attribute.example,
                    "default": isHidden ? nil : defaultText(of: attribute, markets, pages), "isHidden": isHidden,
                    "isDate": attribute.type == .date, "isPersonal": attribute.isPersonal,
                    "isTested": tested.contains(attribute.name),
                    "documentation": attribute.documentation,
                ]
            }
        let ignored: [JSONObject] = markets.ignored.map { ["attribute": $0.attribute, "markets": $0.markets] }
        return [
            "dependsOnSituation": pages.contains { $0.own.dependsOnSituation }, "attributes": attributes,
            "ignored": ignored,
        ]
    }

    /// The value that an attribute has if the page does not set it; nil if it has no value, if it differs between markets,
    /// or if it is the current time.
    private func defaultText(
        of attribute: ContextAttribute, _ markets: PageMarkets, _ pages: [PageMarket]
    ) -> String? {
        switch attribute.type {
        case .date, .localDate: if store.context[attribute.name] == nil { return nil }
        default: break
        }
        // A default may depend on what the page sets: the environment of debug builds.
        let isSet = markets.chosen.contains(attribute.name)
        let values = Set(pages.map { (isSet ? $0.byDefault : $0.own).context[attribute.name] })
        guard values.count == 1, let value = values.first ?? nil else { return nil }
        return ContextAttribute.commandText(of: value)
    }
}

extension ContextAttribute {
    /// The texts of all values; nil if they cannot be listed.
    fileprivate var choices: [String]? {
        switch type {
        case .boolean: ["true", "false"]
        case .choice(let names), .locale(let names): names
        case .integer, .number, .text, .version, .date, .localDate, .set, .region, .bucket: nil
        }
    }

    /// A text that shows the form of a value; nil if it has none.
    fileprivate var example: String? {
        switch type {
        case .integer, .bucket: "3"
        case .number: "0.5"
        case .version: "24.3"
        case .date: "2026-11-27T00:00 America/New_York"
        case .localDate: "2026-11-27T00:00"
        case .set(let names): names.map { $0.prefix(2).joined(separator: "+") } ?? "one+two"
        case .region: "CA-QC"
        case .boolean, .choice, .text, .locale: nil
        }
    }
}
