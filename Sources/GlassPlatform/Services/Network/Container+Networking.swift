public import GlassContainer
import GlassDeepLinking
import GlassMarkets

extension Container {
    /// Registers only ``Networking`` and ``MediaNetworking``, as `setupPlatformDependencies` does. Creates neither.
    ///
    /// Their dependencies must be registered: ``EnvironmentAPI``, ``URLSessionConfigurationAPI``, and, for tracking,
    /// ``AnalyticsTracking``. If ``RemoteConfigurationAPI`` is registered too, they use its values.
    ///
    /// - Parameters:
    ///   - setupTracking: Whether requests can be reported to analytics. The market's `tracking` must allow it, too.
    ///   - configuration: The market's declaration.
    ///   - host: The program's settings, which do not depend on the market.
    public func setupNetworking(
        setupTracking: Bool, configuration: NetworkingConfiguration, host: PlatformHost = PlatformHost()
    ) {
        for service in PlatformCatalog.requests(.given(configuration, host, reports: setupTracking)) {
            service.register(in: self)
        }
    }
}
