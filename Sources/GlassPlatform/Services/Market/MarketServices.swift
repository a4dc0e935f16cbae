import GlassContainer
import GlassDeepLinking
import GlassFlags
import GlassMarkets
import GlassSchema

extension PlatformCatalog {
    /// The services that differ between markets: environments, addresses, links, and flags.
    static let market: [Service] = [
        Service(
            (any AddressConfigurationAPI).self, script: { $0.scriptMethods },
            requires: [PlatformConfig.self],
            configuredBy: ["platform.address"], "The format of postal addresses, and their validation."
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
            // The router's child container is released once the router is created; the parent lives as long as the
            // router is cached.
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
        Service(
            (any FeatureFlags).self, script: { $0.scriptMethods },
            requires: [MarketFlags.self, PlatformHost.self, (any AnalyticsTracking).self],
            configuredBy: ["flags", "layers"], "The values of flags."
        ) { container in
            MarketFeatureFlags(container.get(), providers: container.host.flagProviders)
        },
    ]
}
