public import GlassContainer
public import GlassDeepLinking

extension Container {
    /// Registers every service of ``PlatformCatalogue``; makes none of them.
    ///
    /// - Parameters:
    ///   - configuration: What the market gives the platform.
    ///   - deepLinking: What the market says about links.
    ///   - host: What the program decides, whatever the market.
    public func setupPlatformDependencies(
        with configuration: PlatformConfig, deepLinking: DeepLinkConfiguration = DeepLinkConfiguration(),
        host: PlatformHost = PlatformHost()
    ) {
        let input = PlatformInput(platform: configuration, deepLinking: deepLinking, host: host)
        for service in PlatformCatalogue.services { service.registerLive(self, input) }
    }
}
