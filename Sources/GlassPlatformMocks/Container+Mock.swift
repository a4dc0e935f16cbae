public import GlassContainer
public import GlassDeepLinking
public import GlassMarkets
public import GlassPlatform

extension Service {
    /// Mocks of all services of the platform. They override those of `MarketModule.platform`.
    ///
    /// ```swift
    /// let container = Container(module: .platform.overriding(services: Service.platformMocks))
    /// ```
    public static let platformMocks: [Service] =
        networkMocks + storageMocks + telemetryMocks + deviceMocks + marketMocks
}

extension Container {
    // Disfavored, as the function below, so that an app's own `mock` is used, even if it is in another of its modules.

    /// A new container with mocks of all platform services, for tests and demo apps.
    @_disfavoredOverload
    public static var mock: Container {
        let container = Container()
        container.setupPlatformMocks()
        return container
    }

    /// A new container of an app's module, with mocks of the platform's services and of the app's own.
    ///
    /// ```swift
    /// let container = Container.mock(.shop, mocks: Service.shopMocks)
    /// ```
    ///
    /// Sections have their default values. Services without a mock are the module's.
    ///
    /// - Parameters:
    ///   - module: The module. It may have only some of the platform's services, or none.
    ///   - mocks: Mocks of the module's own services. One of a platform service replaces the platform's mock. Traps if
    ///     the module does not have the service.
    /// - Returns: The container.
    @_disfavoredOverload
    public static func mock(_ module: MarketModule, mocks: [Service]) -> Container {
        let platform = Service.platformMocks.filter { mock in module.services.contains { $0.type == mock.type } }
        return Container(module: module.overriding(services: platform + mocks + host(of: module, unlessIn: mocks)))
    }

    /// The module's host in memory, if it stores data in the system's place: mocks keep nothing.
    private static func host(of module: MarketModule, unlessIn mocks: [Service]) -> [Service] {
        func isHost(_ service: Service) -> Bool { service.type == PlatformHost.self }
        guard module.allServices.contains(where: isHost), !mocks.contains(where: isHost) else { return [] }
        var host = Container(module: module).get(PlatformHost.self)
        guard case .standard = host.place else { return [] }
        host.stateFolder = nil
        return [.host(host)]
    }

    /// Registers a mock of each of the platform's services.
    ///
    /// - Parameters:
    ///   - configuration: The configuration for mocks whose behavior depends on a market.
    ///   - deepLinking: The configuration for a real router that replaces the mock; `nil` registers the mock. The
    ///     router uses only the routables that are registered with it.
    public func setupPlatformMocks(
        with configuration: PlatformConfig = PlatformConfig(), deepLinking: DeepLinkConfiguration? = nil
    ) {
        registerPlatformSettings(
            configuration, deepLinking: deepLinking ?? DeepLinkConfiguration(), host: PlatformHost())
        for mock in Service.platformMocks where deepLinking == nil || mock.type != (any DeepLinker).self {
            mock.register(in: self)
        }
        guard let deepLinking else { return }
        registerProvidingChild((any DeepLinker).self, requires: []) { _ in
            DeepLinkRouter(configuration: deepLinking)
        }
    }
}
