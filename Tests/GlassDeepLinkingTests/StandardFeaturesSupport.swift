import GlassContainer
@testable import GlassDeepLinking

/// A standard feature with its routable.
struct StandardFeature: Sendable {
    /// All features, in the order of the product's documentation.
    static let all: [StandardFeature] = StandardRoutables.parameters.map { make($0) }

    let feature: Feature
    let routable: @Sendable (Container, RoutableConfiguration) -> any Routable

    private static func make<P: FeatureParameters>(_: P.Type) -> StandardFeature {
        StandardFeature(feature: P.feature) { StandardRoutable<P>(container: $0, configuration: $1) }
    }
}

extension DeepLinkRouter {
    /// A router with all standard routables, none of which waits, and a market's changes to some of them.
    static func standard(
        _ configuration: DeepLinkConfiguration = .us, paths: [String: [String]] = [:], without: Set<String> = [],
        in container: Container = Container()
    ) throws -> DeepLinkRouter {
        let router = DeepLinkRouter(configuration: configuration)
        router.register(
            routables: StandardFeature.all.filter { !without.contains($0.feature.id) }.map {
                $0.routable(
                    container, RoutableConfiguration(paths: paths[$0.feature.id], waitForPreconditions: .none))
            })
        return router
    }
}
