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
        Service((any DeepLinker).self, providesChild: true, "Opens links.") { _ in DeepLinkerMock() },
        Service((any EnvironmentAPI).self, "The environments and the base URLs of their services.") { _ in
            EnvironmentAPIMock()
        },
    ]
}
