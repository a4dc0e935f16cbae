public import GlassContainer
public import GlassDeepLinking
import GlassMarkets
public import GlassSchema

extension Container {
    /// Registers the services of the platform and the values that they depend on. Creates none of them.
    ///
    /// The container of a market of `MarketModule.platform` has them already; use this method for a container of your
    /// own.
    ///
    /// - Parameters:
    ///   - configuration: The market's configuration of the platform.
    ///   - deepLinking: The market's configuration of links; `nil` for the schemes of the app's Info.plist. A program
    ///     without a bundle then accepts all schemes but those of other programs.
    ///   - host: The program's settings, which do not depend on the market. By default, services store data in the
    ///     system's standard location, in a folder with the name of the configuration's bundle identifier.
    /// - Returns: The findings that `check` would report for the configuration in a file:
    ///   ``PlatformConfig/findings()``. The services are registered in any case; errors are logged.
    @discardableResult
    public func setupPlatformDependencies(
        with configuration: PlatformConfig, deepLinking: DeepLinkConfiguration? = nil,
        host: PlatformHost = .standard
    ) -> [Finding] {
        registerPlatformSettings(configuration, deepLinking: deepLinking ?? .ofProgram, host: host)
        for service in PlatformCatalog.services { service.register(in: self) }
        return configuration.loggedFindings()
    }

    /// Registers the values that the platform's services depend on.
    package func registerPlatformSettings(
        _ configuration: PlatformConfig, deepLinking: DeepLinkConfiguration, host: PlatformHost
    ) {
        register(PlatformConfig.self, requires: []) { _ in configuration }
        register(DeepLinkConfiguration.self, requires: []) { _ in deepLinking }
        let host = host.placed(for: configuration.appInfo.bundleIdentifier)
        register(PlatformHost.self, requires: []) { _ in host }
        MarketInstance(sections: [PlatformConfig.self]).register(in: self)
        register(MarketFlags.self, requires: []) { MarketFlags(container: $0) }
    }
}
