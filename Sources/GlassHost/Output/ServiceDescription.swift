import GlassMarkets
import GlassSchema

/// A service of a market, as commands show it.
struct ServiceDescription {
    let name: String
    let summary: String
    let implementation: String?
    let scope: String
    let needs: [String]
    let configuredBy: [String]

    init(_ service: Service, _ instance: Any?, in module: MarketModule) {
        name = service.name
        summary = service.summary
        implementation = instance.map { "\(Swift.type(of: $0))" }
        scope = service.usesChildContainer ? "kept, own child" : "kept"
        needs = service.requires.filter { type in module.services.contains { $0.type == type } }.map { "\($0)" }
        configuredBy = service.configuredBy.map(\.description)
    }

    var json: JSONObject {
        [
            "name": name, "summary": summary, "implementation": implementation, "scope": scope, "needs": needs,
            "configuredBy": configuredBy,
        ]
    }
}
