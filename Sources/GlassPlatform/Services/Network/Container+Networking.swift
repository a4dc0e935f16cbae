public import GlassContainer
import GlassDeepLinking
import GlassMarkets

extension Container {
    /// Registers ``Networking`` and ``MediaNetworking`` alone, as `setupPlatformDependencies` does; makes neither.
    ///
    /// What they take must be registered: ``EnvironmentAPI``, ``URLSessionConfigurationAPI`` and, for tracking,
    /// ``AnalyticsTracking``. Where ``RemoteConfigurationAPI`` is registered too, they follow it.
    ///
    /// - Parameters:
    ///   - setupTracking: Whether requests may be reported to analytics; the market's `tracking` must say so too.
    ///   - configuration: What the market declares.
    ///   - host: What the program decides, whatever the market.
    public func setupNetworking(
        setupTracking: Bool, configuration: NetworkingConfiguration, host: PlatformHost = PlatformHost()
    ) {
        for service in PlatformCatalog.requests(.given(configuration, host, reports: setupTracking)) {
            service.register(in: self)
        }
    }
}
