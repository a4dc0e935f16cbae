import GlassContainer
import GlassMarkets
import GlassPlatform

extension Service {
    /// Mocks of requests, downloads, cookies, and the state of the network.
    static let networkMocks: [Service] = [
        Service((any CookieStorageAPI).self, "The app's cookies.") { _ in CookieStorageAPIMock() },
        Service((any MediaNetworking).self, "Downloads images and videos.") { _ in MediaNetworkingMock() },
        Service((any NetworkInformationProvider).self, "The state of the network.") { _ in
            NetworkInformationProviderMock()
        },
        Service(
            (any Networking).self, requires: [PlatformConfig.self, (any EnvironmentAPI).self],
            "Sends requests to the services of the market."
        ) { container in
            NetworkingMock(
                environment: container.get(), configuration: container.get(PlatformConfig.self).networking)
        },
        Service((any QuimbyAuthProviding).self, "The customer's identity in requests for remote configuration.") {
            _ in QuimbyAuthProvidingMock()
        },
        Service((any QuimbyCartProviding).self, "The cart's identity in requests for remote configuration.") { _ in
            QuimbyCartProvidingMock()
        },
        Service((any ReflectorManager).self, usesChildContainer: true, "Routes requests to a named backend.") { _ in
            ReflectorManagerMock()
        },
        Service((any RemoteConfigurationAPI).self, requires: [PlatformConfig.self], "Remote values.") { container in
            RemoteConfigurationAPIMock(market: [container.get(PlatformConfig.self)])
        },
        Service((any RetryNotifyingFactory).self, requires: [PlatformConfig.self], "Creates retry notifiers.") {
            RetryNotifyingFactoryMock(policy: $0.get(PlatformConfig.self).networking.retry)
        },
        Service((any URLSessionConfigurationAPI).self, "The configurations of the app's URL sessions.") { _ in
            URLSessionConfigurationAPIMock()
        },
    ]
}
