import GlassContainer
import GlassDeepLinking
import GlassMarkets
import GlassPlatform

extension Service {
    /// Mocks of what differs from market to market.
    static let marketMocks: [Service] = [
        Service((any AddressConfigurationAPI).self, "How postal addresses look, and whether one does.") { _ in
            AddressConfigurationAPIMock()
        },
        Service(
            (any DeepLinker).self, usesChildContainer: true, requires: [DeepLinkConfiguration.self], "Opens links."
        ) { container in
            let links = container.get(DeepLinkConfiguration.self)
            // A market's links go where its routables are; without a market every link is routed.
            return (links.schemes.isEmpty ? DeepLinkerMock() : DeepLinkerMock(configuration: links) { _ in nil })
                .deepLinker
        },
        Service((any EnvironmentAPI).self, "The environments and the base URLs of their services.") { _ in
            EnvironmentAPIMock()
        },
    ]
}
