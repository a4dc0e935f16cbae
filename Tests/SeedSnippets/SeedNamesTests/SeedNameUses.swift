import Foundation
import GlassContainer
import GlassDeepLinking
import GlassPlatform
import GlassPlatformMocks

/// A use of each name that seeds 000 to 002 print, by its text in the table of the migration guide.
@available(*, deprecated)
final class SeedNameUses {
    private(set) var names: [String] = []
    private let container = Container.mock
    private let router = DeepLinkRouter()

    func run() throws {
        try containers()
        setup()
        configuration()
        protocols()
        try services()
        links()
    }

    private func uses(_ names: String..., of use: () throws -> Any?) rethrows {
        _ = try use()
        self.names += names
    }

    private func containers() throws {
        uses("Container", "Container()", "register(_:_:)") {
            let container = Container()
            container.register(Networking.self) { $0.get() }
            return container
        }
        uses("registerProvidingChild(_:_:)") {
            Container().registerProvidingChild(Networking.self) { child in child.get() }
        }
        uses("get()", "get(_:)", "getIfRegistered()") {
            let networking: Networking = container.get()
            let optional: Networking? = container.getIfRegistered()
            return (networking, optional, container.get(Networking.self))
        }
        uses("Container.walmartApp", "Container.mock", "analytics", "networking") {
            (Container.walmartApp, Container.mock, container.analytics, container.networking)
        }
    }

    private func registered(_ types: Any.Type...) -> [Any.Type] { types }

    private func setup() {
        uses("setupPlatformdependencies(with:)") { Container().setupPlatformdependencies(with: PlatformConfig()) }
        uses("PlatformDependancies", "PlatformDependancies(…)", "setupPlatformDependancies(dependancies:)") {
            let dependancies: PlatformDependancies = Self.dependencies(of: container)
            return Container().setupPlatformDependancies(dependancies: dependancies)
        }
        uses("setupDeeplinkerDependancies(deeplinker:)") { container.setupDeeplinkerDependancies(deeplinker: router) }
        uses("setupNetworking(setupTracking:configuration:)") {
            Container().setupNetworking(setupTracking: true, configuration: NetworkingConfiguration())
        }
        uses("setupPreferencesStorage(configuration:)") {
            Container().setupPreferencesStorage(configuration: PreferencesConfiguration())
        }
        uses("networkingProvider()", "mediaNetworkProvider()") {
            (container.networkingProvider(), container.mediaNetworkProvider())
        }
    }

    private func configuration() {
        uses(
            "PlatformConfig", "PlatformConfig(…)", "userDefaultsRegistrationAPIConfig",
            "aniviaSuperAttributesConfiguration", "environmentPlatformAPIAPIConfig",
            "urlSessionConfigurationPlatformAPIConfig", "networkingConfig", "appInfoPlatformAPIConfig",
            "preferencesConfig", "cookieStoragePlatformAPIConfig", "UserDefaultsRegistrationPlatformAPI.Configuration",
            "AniviaSuperAttributes.Configuration", "EnvironmentPlatformAPI.Configurations",
            "URLSessionConfigurationPlatformAPI.Configuration", "Networking.Configuration",
            "AppInfoPlatformAPI.Configuration", "Preferences.Configuration", "CookieStoragePlatformAPI.Configuration"
        ) {
            let config = PlatformConfig(
                userDefaultsRegistrationAPIConfig: UserDefaultsRegistrationPlatformAPI.Configuration(),
                aniviaSuperAttributesConfiguration: AniviaSuperAttributes.Configuration(),
                environmentPlatformAPIAPIConfig: EnvironmentPlatformAPI.Configurations(),
                urlSessionConfigurationPlatformAPIConfig: URLSessionConfigurationPlatformAPI.Configuration(),
                networkingConfig: Networking.Configuration(),
                appInfoPlatformAPIConfig: AppInfoPlatformAPI.Configuration(),
                preferencesConfig: Preferences.Configuration(),
                cookieStoragePlatformAPIConfig: CookieStoragePlatformAPI.Configuration())
            return (
                config.userDefaultsRegistrationAPIConfig, config.aniviaSuperAttributesConfiguration,
                config.environmentPlatformAPIAPIConfig, config.urlSessionConfigurationPlatformAPIConfig,
                config.networkingConfig, config.appInfoPlatformAPIConfig, config.preferencesConfig,
                config.cookieStoragePlatformAPIConfig
            )
        }
    }

    private func protocols() {
        uses(
            "AddressConfigurationAPI", "Analytics", "AnalyticsCustomerInfoProviding", "AnalyticsLocationInfoProviding",
            "AnalyticsMembershipProviding", "AnalyticsSessionProvider", "AnalyticsStoreIDProviding",
            "AnalyticsTracking", "AppInfoAPI", "AppProcessInfo", "ApplicationURLHandler", "CookieStorageAPI",
            "DeepLinker", "EnvironmentAPI", "ErrorCoordinatorProducing", "LocationPermissionProvider",
            "LocationUpdatesProvider", "MediaNetworking", "NetworkInformationProvider", "Networking",
            "NotificationPermissionProvider", "PreferencesStorage", "QuimbyAuthProviding", "QuimbyCartProviding",
            "ReflectorManager", "RetryNotifyingFactory", "StartupPreferenceAPI", "StorageAPI",
            "URLSessionConfigurationAPI", "UserAgentProviding", "UserDefaultsRegistrationAPI",
            "VideoPermissionProvider"
        ) {
            registered(
                AddressConfigurationAPI.self, Analytics.self, AnalyticsCustomerInfoProviding.self,
                AnalyticsLocationInfoProviding.self, AnalyticsMembershipProviding.self, AnalyticsSessionProvider.self,
                AnalyticsStoreIDProviding.self, AnalyticsTracking.self, AppInfoAPI.self, AppProcessInfo.self,
                ApplicationURLHandler.self, CookieStorageAPI.self, DeepLinker.self, EnvironmentAPI.self,
                ErrorCoordinatorProducing.self, LocationPermissionProvider.self, LocationUpdatesProvider.self,
                MediaNetworking.self, NetworkInformationProvider.self, Networking.self,
                NotificationPermissionProvider.self, PreferencesStorage.self, QuimbyAuthProviding.self,
                QuimbyCartProviding.self, ReflectorManager.self, RetryNotifyingFactory.self, StartupPreferenceAPI.self,
                StorageAPI.self, URLSessionConfigurationAPI.self, UserAgentProviding.self,
                UserDefaultsRegistrationAPI.self, VideoPermissionProvider.self)
        }
    }

    private func services() throws {
        uses("AddressConfigurationPlatformAPI") { AddressConfigurationPlatformAPI.self }
        uses("AnalyticsFeatureInfoProvider(container:)") { AnalyticsFeatureInfoProvider(container: container) }
        uses("AnalyticsManager", "AnalyticsManager(container:)") { AnalyticsManager(container: container) }
        uses("AnalyticsSession(container:)") { AnalyticsSession(container: container) }
        uses("AppInfoPlatformAPI(configuration:)") { AppInfoPlatformAPI(configuration: .init()) }
        uses("AsyncAnalyticsManager(sessionProvider:)", "addAniviaIntent(container:configuration:)") {
            let manager = AsyncAnalyticsManager(sessionProvider: container.getIfRegistered())
            manager.addAniviaIntent(container: container, configuration: .init())
            return manager
        }
        uses("CookieStoragePlatformAPI(configuration:container:)") {
            CookieStoragePlatformAPI(configuration: .init(), container: container)
        }
        uses("EnvironmentPlatformAPI(container:configurations:)") {
            EnvironmentPlatformAPI(container: container, configurations: .init())
        }
        uses("ErrorCoordinatorManager(container:)") { ErrorCoordinatorManager(container: container) }
        uses("GlassUserAgent()") { GlassUserAgent() }
        uses("LocationPermission(locationPermissionLevel:)") {
            // Without a usage description, the permission is not available; this process has none.
            try? LocationPermission(locationPermissionLevel: .whenInUse)
        }
        uses("LocationUpdates(allowsBackgroundLocationUpdates:)") {
            LocationUpdates(allowsBackgroundLocationUpdates: false)
        }
        uses("NetworkInformationMonitor()") { NetworkInformationMonitor() }
        uses("NotificationPermission(options:)") { NotificationPermission(options: [.alert, .sound, .badge]) }
        uses("Preferences(configuration:)") { Preferences(configuration: .init()) }
        uses("ProcessInfo.processInfo") { ProcessInfo.processInfo as AppProcessInfo }
        uses("QuimbyAuthProvider(container:)") { QuimbyAuthProvider(container: container) }
        uses("QuimbyCartProvider(container:)") { QuimbyCartProvider(container: container) }
        uses("RetryNotifierFactory(ccmSource:)") { RetryNotifierFactory(ccmSource: container.get()) }
        uses("StartupPreferencePlatformAPI(container:)") { StartupPreferencePlatformAPI(container: container) }
        uses("StoragePlatformAPI()") { StoragePlatformAPI() }
        uses("URLSessionConfigurationPlatformAPI(container:configuration:)") {
            URLSessionConfigurationPlatformAPI(container: container, configuration: .init())
        }
        uses("UserDefaultsRegistrationPlatformAPI(configuration:container:)") {
            UserDefaultsRegistrationPlatformAPI(configuration: .init(), container: container)
        }
        uses("VideoPermission()") {
            // As above, and a server has no camera.
            try? VideoPermission()
        }
    }

    private func links() {
        uses("DeepLinkRouter()") { DeepLinkRouter() }
        uses("DeepLink", "DeepLinkNavigationState") { (DeepLink.self, DeepLinkNavigationState()) }
        uses("Deeplinker", "Deeplinker()", "routables", "register(routables:)") {
            let deeplinker = Deeplinker()
            deeplinker.register(routables: [StandardHomeRoutable(container: container)])
            return deeplinker.routables
        }
        uses("Deeplinker.Route", "register(routes:)", "register(routes:using:)") {
            let deeplinker = Deeplinker()
            let home: Deeplinker.Route = .home(StandardHomeRoutable(container: container))
            deeplinker.register(routes: [home])
            deeplinker.register(routes: [.cart(StandardCartRoutable(container: container))], using: container)
            return deeplinker
        }
        uses("deepLinker", "addRoutes(_:waitForPreconditions:handler:)") {
            let router = router
            let container = Container()
            container.register(DeepLinker.self) { router }
            container.deepLinker.addRoutes(["path1"], waitForPreconditions: true) { deepLink, state -> Bool in
                false
            }
            return router
        }
        uses(
            "Routable", "actionRoutes", "waitForPreconditions", "registerRoutes()", "handleDeepLink(_:state:)",
            "Routable.init(container:)"
        ) {
            let routable: any Routable = OwnRoutable(container: container)
            routable.registerRoutes()
            return (routable.actionRoutes, routable.waitForPreconditions)
        }
        uses(
            "StandardFeatureRoutableA(container:)", "StandardFeatureRoutableA(container:configuration:)",
            "StandardFeatureRoutableA(container:configaration:)", "StandardFeatureRoutableA(configuration:container:)",
            "Configuration(customPath:)"
        ) {
            [
                StandardAccountRoutable(container: container),
                StandardAccountRoutable(container: container, configuration: .init(customPath: "customFeaturePath")),
                StandardAccountRoutable(container: container, configaration: .init(customPath: "customFeaturePath")),
                StandardAccountRoutable(configuration: .init(customPath: "customFeaturePath"), container: container),
            ]
        }
    }

    /// The services of a container, as the seed passes its own.
    static func dependencies(of services: Container) -> PlatformDependancies {
        PlatformDependancies(
            analyticsStoreIDProvider: { _ in services.get() }, analyticsMembershipProvider: { _ in services.get() },
            analyticsCustomerInfoProvider: { _ in services.get() },
            analyticsLocationInfoProvider: { _ in services.get() }, addressConfigurationAPI: { _ in services.get() },
            quimbyAuthProvider: { _ in services.get() }, quimbyCartProvider: { _ in services.get() },
            userAgentProvider: { _ in services.get() },
            userDefaultsRegistrationAPI: { UserDefaultsRegistrationPlatformAPI(configuration: .init(), container: $0) },
            analyticsPrivider: { _ in services.get() }, storageAPIProvider: { _ in services.get() },
            analyticsSessionProvider: { _ in services.get() }, appProcessInfoProvider: { _ in services.get() },
            deepLinkerProvider: { _ in services.get() }, environmentAPIProvider: { _ in services.get() },
            errorCoordinatorProvider: { _ in services.get() }, locationUpdatesProvider: { _ in services.get() },
            cookieStorageAPIProvider: { _ in services.get() },
            urlSessionConfigurationAPIProvider: { _ in services.get() },
            preferencesStorageProvider: { _ in services.get() }, networkInformationProvider: { _ in services.get() },
            notificationPermissionProvider: { _ in services.get() },
            locationPermissionProvider: { _ in services.get() }, appInfoAPIProvider: { _ in services.get() },
            startupPreferenceAPIProvider: { _ in services.get() },
            applicationURLHandlerProvider: { _ in services.get() }, videoPermissionProvider: { _ in services.get() },
            retryNotifyingFactoryProvider: { _ in services.get() }, reflectorManagerProvider: { _ in services.get() },
            networkingProvider: { _ in services.get() }, mediaNetworkingProvider: { _ in services.get() })
    }
}

private class OwnRoutable: BaseRoutable, @unchecked Sendable {
    override var actionRoutes: [String] { ["own"] }

    required init(container: Container) { super.init(container: container) }

    override func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool { true }
}
