public import GlassContainer
import GlassDeepLinking

extension Container {
    /// Registers ``Networking`` and ``MediaNetworking`` alone, as `setupPlatformDependencies` does; makes neither.
    ///
    /// What they take must be registered: ``EnvironmentAPI``, ``URLSessionConfigurationAPI`` and, for tracking,
    /// ``AnalyticsTracking``.
    ///
    /// - Parameters:
    ///   - setupTracking: Whether requests may be reported to analytics; the market's `tracking` must say so too.
    ///   - configuration: What the market declares.
    ///   - host: What the program decides, whatever the market.
    public func setupNetworking(
        setupTracking: Bool, configuration: NetworkingConfiguration, host: PlatformHost = PlatformHost()
    ) {
        var platform = PlatformConfig()
        platform.networking = configuration
        platform.networking.tracking = configuration.tracking && setupTracking
        let input = PlatformInput(platform: platform, deepLinking: .init(), host: host)
        for service in PlatformCatalogue.requests { service.registerLive(self, input) }
    }
}
