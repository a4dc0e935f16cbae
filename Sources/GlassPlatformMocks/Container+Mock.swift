public import GlassContainer
public import GlassDeepLinking
public import GlassMarkets
public import GlassPlatform

extension Service {
    /// Mocks of all 33 services of the platform. They override those of `MarketModule.platform`.
    ///
    /// ```swift
    /// let container = Container(module: .platform.overriding(services: Service.platformMocks))
    /// ```
    public static let platformMocks: [Service] =
        networkMocks + storageMocks + telemetryMocks + deviceMocks + marketMocks
}

extension Container {
    /// A new container with mocks of all platform services, for tests and demo apps.
    public static var mock: Container {
        let container = Container()
        container.setupPlatformMocks()
        return container
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
