public import GlassContainer
import GlassDeepLinking
import GlassMarkets

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
        var networking = configuration
        networking.tracking = configuration.tracking && setupTracking
        for service in PlatformCatalogue.requests(.given(networking, host)) { service.register(in: self) }
    }
}
