import GlassContainer
import GlassMarketFiles
import GlassPlatform
import GlassPlatformMocks

/// Which services the markets of a command have.
enum ServiceSet {
    /// The real ones.
    case live
    /// The real ones, but mocks of those that would leave the machine: requests and downloads.
    case offline
    /// Mocks of all but the deep linker.
    case mock

    /// Registers the services of a market.
    ///
    /// - Parameters:
    ///   - container: The market's container.
    ///   - definition: What the market says.
    ///   - host: What the command decides.
    func register(in container: Container, for definition: MarketDefinition, host: PlatformHost) {
        switch self {
        case .live:
            container.setupPlatformDependencies(
                with: definition.platform, deepLinking: definition.deepLinking, host: host)
        case .offline:
            var mocks = PlatformDependencies()
            mocks.networkingProvider = { _ in NetworkingMock() }
            mocks.mediaNetworkingProvider = { _ in MediaNetworkingMock() }
            var host = host
            host.network.remoteConfiguration = .none
            container.setupPlatformDependencies(
                with: definition.platform, overriding: mocks, deepLinking: definition.deepLinking, host: host)
        case .mock:
            container.setupPlatformMocks(with: definition.platform, deepLinking: definition.deepLinking)
        }
    }
}
