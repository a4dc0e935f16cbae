import GlassContainer
import GlassPlatform

extension Container {
    func registerNetworkMocks(_ configuration: PlatformConfig) {
        register((any CookieStorageAPI).self, requires: []) { _ in CookieStorageAPIMock() }
        register((any URLSessionConfigurationAPI).self, requires: []) { _ in URLSessionConfigurationAPIMock() }
    }
}
