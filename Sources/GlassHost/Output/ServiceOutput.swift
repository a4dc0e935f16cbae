import GlassMarkets
import GlassSchema

/// A service of a market, as JSON.
struct ServiceOutput: Encodable {
    let name: String
    let summary: String
    @Nullable var implementation: String?
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
}
