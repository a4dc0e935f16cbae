import GlassContainer
import GlassDeepLinking
import GlassMarkets
import GlassSchema

extension PlatformCatalog {
    /// What differs from market to market: environments, addresses and links.
    static let market: [Service] = [
        Service(
            (any AddressConfigurationAPI).self, script: { $0.scriptMethods },
            requires: [PlatformConfig.self],
            configuredBy: ["platform.address"], "How postal addresses look, and whether one does."
        ) { container in
            AddressConfigurationPlatformAPI(configuration: container.platform.address)
        },
        Service(
            (any DeepLinker).self, script: { $0.scriptMethods },
            usesChildContainer: true,
            requires: [DeepLinkConfiguration.self, PlatformHost.self, (any AnalyticsTracking).self],
            configuredBy: ["deepLinking", "routables"], "Opens links."
        ) { container in
            let clock = container.host.clock
            let router = DeepLinkRouter(configuration: container.links, now: { clock.instant })
            // The container of its own goes once the router is made; the parent stays as long as the router is kept.
            (container.parent ?? container).setupDeepLinkerDependencies(deepLinker: router)
            return router
        },
        Service(
            (any EnvironmentAPI).self, script: { $0.scriptMethods },
            requires: [PlatformConfig.self, (any StorageAPI).self], configuredBy: ["platform.environment"],
            "The environments and the base URLs of their services."
        ) { container in
            EnvironmentPlatformAPI(
                configurations: container.platform.environment,
                storage: container.get(),
                application: container.platform.appInfo.bundleIdentifier)
        },
    ]
}
