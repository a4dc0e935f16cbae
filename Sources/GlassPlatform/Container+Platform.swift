public import GlassContainer
public import GlassDeepLinking
import GlassMarkets
public import GlassSchema

extension Container {
    /// Registers the 33 services of the platform, and what they are made from; makes none of them.
    ///
    /// A market of `MarketModule.platform` has them in its container already; this is for a container of one's own.
    ///
    /// - Parameters:
    ///   - configuration: What the market gives the platform.
    ///   - deepLinking: What the market says about links.
    ///   - host: What the program decides, whatever the market.
    /// - Returns: What is wrong with the configuration, as `check` would say it of a file: ``PlatformConfig/findings()``.
    ///   The services are registered in any case; errors are logged.
    @discardableResult
    public func setupPlatformDependencies(
        with configuration: PlatformConfig, deepLinking: DeepLinkConfiguration = DeepLinkConfiguration(),
        host: PlatformHost = PlatformHost()
    ) -> [Finding] {
        registerPlatformSettings(configuration, deepLinking: deepLinking, host: host)
        for service in PlatformCatalog.services { service.register(in: self) }
        return configuration.loggedFindings()
    }

    /// Registers what the platform's services are made from.
    package func registerPlatformSettings(
        _ configuration: PlatformConfig, deepLinking: DeepLinkConfiguration, host: PlatformHost
    ) {
        register(PlatformConfig.self, requires: []) { _ in configuration }
        register(DeepLinkConfiguration.self, requires: []) { _ in deepLinking }
        register(PlatformHost.self, requires: []) { _ in host }
        MarketInstance(sections: [PlatformConfig.self]).register(in: self)
    }
}
