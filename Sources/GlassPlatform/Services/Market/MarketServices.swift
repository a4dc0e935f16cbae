import GlassContainer
import GlassDeepLinking
import GlassSchema

extension PlatformCatalogue {
    /// What differs from market to market: environments, addresses and links.
    static let market: [PlatformService] = [
        PlatformService(
            (any AddressConfigurationAPI).self, "AddressConfigurationAPI", AddressConfigurationPlatformAPI.self,
            configuredBy: ["platform.address"], "How postal addresses look, and whether one does."
        ) { input, _ in
            AddressConfigurationPlatformAPI(configuration: input.platform.address)
        },
        PlatformService(
            (any DeepLinker).self, "DeepLinker", DeepLinkRouter.self, providesChild: true,
            requires: [(any AnalyticsTracking).self], configuredBy: ["deepLinking", "routables"], "Opens links."
        ) { input, container in
            let router = DeepLinkRouter(configuration: input.deepLinking)
            container.setupDeepLinkerDependencies(deepLinker: router)
            return router
        },
        PlatformService(
            (any EnvironmentAPI).self, "EnvironmentAPI", EnvironmentPlatformAPI.self,
            requires: [(any StorageAPI).self], configuredBy: ["platform.environment"],
            "The environments and the base URLs of their services."
        ) { input, container in
            EnvironmentPlatformAPI(
                configurations: input.platform.environment,
                storage: container.get(),
                application: input.platform.appInfo.bundleIdentifier)
        },
    ]
}
