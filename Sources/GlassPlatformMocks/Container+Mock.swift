public import GlassContainer
public import GlassDeepLinking
public import GlassPlatform

extension Container {
    /// A new container with a mock of every platform service, for tests and demo apps.
    public static var mock: Container {
        let container = Container()
        container.setupPlatformMocks()
        return container
    }

    /// Registers a mock of every service of `PlatformCatalogue`.
    ///
    /// - Parameters:
    ///   - configuration: Where a mock shows something of a market, what it shows.
    ///   - deepLinking: Which links a real router claims in place of the mock; nil registers the mock. A router reaches
    ///     nothing but the routables that are registered with it.
    public func setupPlatformMocks(
        with configuration: PlatformConfig = PlatformConfig(), deepLinking: DeepLinkConfiguration? = nil
    ) {
        registerNetworkMocks(configuration)
        registerStorageMocks(configuration)
        registerTelemetryMocks(configuration)
        registerDeviceMocks(configuration)
        registerMarketMocks(configuration, deepLinking: deepLinking)
    }
}
