public import GlassContainer
import GlassDeepLinking
import GlassMarkets

extension Container {
    /// Registers only ``Networking`` and ``MediaNetworking``, as `setupPlatformDependencies` does. Creates neither.
    ///
    /// ``Networking`` requires an ``EnvironmentAPI``. Everything else has a default: without a
    /// ``URLSessionConfigurationAPI``, sessions have the default configuration with the app's user agent; without a
    /// ``RemoteConfigurationAPI``, policies are the market's; without ``AnalyticsTracking`` or ``Analytics``, requests are
    /// not reported. The services may be registered before or after this call, but before the first request.
    ///
    /// - Parameters:
    ///   - setupTracking: Whether requests can be reported to analytics. The market's `tracking` must allow it, too.
    ///   - configuration: The market's declaration.
    ///   - host: The program's settings; `nil` uses those of the container, or else ``PlatformHost/standard``.
    public func setupNetworking(
        setupTracking: Bool, configuration: NetworkingConfiguration, host: PlatformHost? = nil
    ) {
        for service in PlatformCatalog.requests(.given(configuration, host, reports: setupTracking)) {
            service.register(in: self)
        }
    }
}
