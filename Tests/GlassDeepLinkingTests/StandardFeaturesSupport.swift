import GlassContainer
import GlassDeepLinking

extension DeepLinkRouter {
    /// A router with all standard routables that wait for nothing, and a market's changes to some.
    static func standard(
        _ configuration: DeepLinkConfiguration = .us, paths: [String: [String]] = [:], without: Set<String> = [],
        in container: Container = Container()
    ) throws -> DeepLinkRouter {
        let router = DeepLinkRouter(configuration: configuration)
        try router.register(
            routables: StandardRoutables.all.filter { !without.contains($0.id) }.compactMap {
                StandardRoutables.makeRoutable(
                    id: $0.id, container: container,
                    configuration: RoutableConfiguration(paths: paths[$0.id], waitForPreconditions: .none))
            })
        return router
    }
}
