import GlassContainer
import GlassDeepLinking
import GlassPlatform

extension Container {
    func registerMarketMocks(_ configuration: PlatformConfig, deepLinking: DeepLinkConfiguration?) {
        register((any AddressConfigurationAPI).self, requires: []) { _ in AddressConfigurationAPIMock() }
        registerProvidingChild((any DeepLinker).self, requires: []) { _ in
            if let deepLinking { return DeepLinkRouter(configuration: deepLinking) }
            return DeepLinkerMock()
        }
        register((any EnvironmentAPI).self, requires: []) { _ in EnvironmentAPIMock() }
    }
}
