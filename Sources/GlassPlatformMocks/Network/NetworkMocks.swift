import GlassContainer
import GlassPlatform

extension Container {
    func registerNetworkMocks(_ configuration: PlatformConfig) {
        register((any CookieStorageAPI).self, requires: []) { _ in CookieStorageAPIMock() }
        register((any MediaNetworking).self, requires: []) { _ in MediaNetworkingMock() }
        register((any NetworkInformationProvider).self, requires: []) { _ in NetworkInformationProviderMock() }
        register((any Networking).self, requires: [(any EnvironmentAPI).self]) { container in
            NetworkingMock(environment: container.get(), configuration: configuration.networking)
        }
        register((any QuimbyAuthProviding).self, requires: []) { _ in QuimbyAuthProvidingMock() }
        register((any QuimbyCartProviding).self, requires: []) { _ in QuimbyCartProvidingMock() }
        registerProvidingChild((any ReflectorManager).self, requires: []) { _ in ReflectorManagerMock() }
        register((any RetryNotifyingFactory).self, requires: []) { _ in
            RetryNotifyingFactoryMock(policy: RetryPolicy(configuration.networking.retry))
        }
        register((any URLSessionConfigurationAPI).self, requires: []) { _ in URLSessionConfigurationAPIMock() }
    }
}
