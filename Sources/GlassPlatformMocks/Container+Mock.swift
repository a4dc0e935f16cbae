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
        let appInfo = configuration.appInfo
        register((any AddressConfigurationAPI).self, requires: []) { _ in AddressConfigurationAPIMock() }
        register((any AppInfoAPI).self, requires: []) { _ in
            appInfo.name.isEmpty
                ? AppInfoAPIMock() : AppInfoAPIMock(name: appInfo.name, bundleIdentifier: appInfo.bundleIdentifier)
        }
        register((any AppProcessInfo).self, requires: []) { _ in AppProcessInfoMock() }
        register((any CookieStorageAPI).self, requires: []) { _ in CookieStorageAPIMock() }
        registerProvidingChild((any DeepLinker).self, requires: []) { _ in
            if let deepLinking { return DeepLinkRouter(configuration: deepLinking) }
            return DeepLinkerMock()
        }
        register((any EnvironmentAPI).self, requires: []) { _ in EnvironmentAPIMock() }
        register((any URLSessionConfigurationAPI).self, requires: []) { _ in URLSessionConfigurationAPIMock() }
        register((any UserAgentProviding).self, requires: []) { _ in UserAgentProvidingMock() }
        register((any UserDefaultsRegistrationAPI).self, requires: []) { _ in UserDefaultsRegistrationAPIMock() }
    }
}
