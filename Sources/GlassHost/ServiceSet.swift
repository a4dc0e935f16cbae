import GlassDeepLinking
import GlassMarkets
import GlassPlatform

/// Which services the markets of a command have.
package enum ServiceSet {
    /// The real ones.
    case live
    /// The real ones, but mocks of those that would leave the machine.
    case offline
    /// Mocks of all that have one, but for the deep linker.
    case mock

    /// The program's module with these services.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - host: Makes the platform's host for a market.
    /// - Returns: The module.
    func module(
        of program: HostSettings, host: @escaping @Sendable (MarketDefinition) -> PlatformHost
    ) -> MarketModule {
        let isOffline = self == .offline
        var replaced = program.mocks.filter { mock in
            guard let service = program.module.services.first(where: { $0.type == mock.type }) else { return false }
            return switch self {
            case .live: false
            case .offline: service.leavesMachine
            case .mock: service.type != (any DeepLinker).self
            }
        }
        // A module without the platform has no host to decide for.
        if program.module.allServices.contains(where: { $0.type == PlatformHost.self }) {
            replaced.append(
                .host { definition in
                    var host = host(definition)
                    if isOffline { host.network.remoteConfiguration = .none }
                    return host
                })
        }
        return program.module.overriding(services: replaced)
    }
}
