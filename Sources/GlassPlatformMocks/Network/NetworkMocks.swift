import GlassContainer
import GlassMarkets
import GlassPlatform

extension Service {
    /// Mocks of requests, downloads, cookies and what the network is like.
    static let networkMocks: [Service] = [
        Service((any CookieStorageAPI).self, "The app's cookies.") { _ in CookieStorageAPIMock() },
        Service((any MediaNetworking).self, "Downloads images and videos.") { _ in MediaNetworkingMock() },
        Service((any NetworkInformationProvider).self, "What the network is like.") { _ in
            NetworkInformationProviderMock()
        },
        Service(
            (any Networking).self, requires: [PlatformConfig.self, (any EnvironmentAPI).self],
            "Sends requests to the services of the market."
        ) { container in
            NetworkingMock(
                environment: container.get(), configuration: container.get(PlatformConfig.self).networking)
        },
        Service((any QuimbyAuthProviding).self, "The customer's identity that remote-configuration requests carry.") {
            _ in QuimbyAuthProvidingMock()
        },
        Service((any QuimbyCartProviding).self, "The cart that remote-configuration requests speak of.") { _ in
            QuimbyCartProvidingMock()
        },
        Service((any ReflectorManager).self, usesChildContainer: true, "Points requests at a named backend.") { _ in
            ReflectorManagerMock()
        },
        Service((any RemoteConfigurationAPI).self, requires: [PlatformConfig.self], "Values from afar.") { container in
            RemoteConfigurationAPIMock(market: [container.get(PlatformConfig.self)])
        },
        Service((any RetryNotifyingFactory).self, requires: [PlatformConfig.self], "Makes what repeats operations.") {
            RetryNotifyingFactoryMock(policy: $0.get(PlatformConfig.self).networking.retry)
        },
        Service((any URLSessionConfigurationAPI).self, "What the app's URL sessions start from.") { _ in
            URLSessionConfigurationAPIMock()
        },
    ]
}
