import GlassContainer
import GlassDeepLinking
import GlassFlags
import GlassMarkets
import GlassPlatform

extension Service {
    /// Mocks of the services that differ between markets.
    static let marketMocks: [Service] = [
        Service((any AddressConfigurationAPI).self, "The format of postal addresses, and their validation.") { _ in
            AddressConfigurationAPIMock()
        },
        Service(
            (any DeepLinker).self, usesChildContainer: true, requires: [DeepLinkConfiguration.self], "Opens links."
        ) { container in
            let links = container.get(DeepLinkConfiguration.self)
            // With a market, links are opened by its routables. Without one, every link is routed.
            return (links.schemes.isEmpty ? DeepLinkerMock() : DeepLinkerMock(configuration: links) { _ in nil })
                .deepLinker
        },
        Service((any EnvironmentAPI).self, "The environments and the base URLs of their services.") { _ in
            EnvironmentAPIMock()
        },
        Service((any FeatureFlags).self, "The values of flags.") { _ in FeatureFlagsMock() },
    ]
}
