// swift-format-ignore-file
// The snippets are printed verbatim.
import Foundation
import GlassContainer
import GlassDeepLinking
import GlassPlatform
import WalmartPlatform

// 000:36-262
public struct PlatformDependancies {
    let quimbyAuthProvider: ((Container) -> QuimbyAuthProviding)
    let quimbyCartProvider: ((Container) -> QuimbyCartProviding)
    let userAgentProvider: ((Container) -> UserAgentProviding)
    let analyticsStoreIDProvider: ((Container) -> AnalyticsStoreIDProviding)
    let analyticsMembershipProvider: ((Container) -> AnalyticsMembershipProviding)
    let analyticsCustomerInfoProvider: ((Container) -> AnalyticsCustomerInfoProviding)
    let analyticsLocationInfoProvider: ((Container) -> AnalyticsLocationInfoProviding)
    let addressConfigurationAPI: ((Container) -> AddressConfigurationAPI)
    let userDefaultsRegistrationAPI: ((Container) -> UserDefaultsRegistrationPlatformAPI)
    let analyticsPrivider: ((Container) -> Analytics)
    let storageAPIProvider: ((Container) -> StorageAPI)
    let analyticsSessionProvider: ((Container) -> AnalyticsSessionProvider)
    let appProcessInfoProvider:((Container) -> AppProcessInfo)
    let deepLinkerProvider:((Container) -> DeepLinker)
    let environmentAPIProvider:((Container) -> EnvironmentAPI)
    let errorCoordinatorProvider: ((Container) -> ErrorCoordinatorProducing)
    let locationUpdatesProvider:((Container) -> LocationUpdatesProvider)
    let cookieStorageAPIProvider: ((Container) -> CookieStorageAPI)
    let urlSessionConfigurationAPIProvider: ((Container) -> URLSessionConfigurationAPI)
    let preferencesStorageProvider: ((Container) -> PreferencesStorage)
    let networkInformationProvider: ((Container) -> NetworkInformationProvider)
    let notificationPermissionProvider: ((Container) -> NotificationPermissionProvider)
    let locationPermissionProvider: ((Container) -> LocationPermissionProvider)
    let appInfoAPIProvider: ((Container) -> AppInfoAPI)
    let startupPreferenceAPIProvider:((Container) -> StartupPreferenceAPI)
    let applicationURLHandlerProvider:((Container) -> ApplicationURLHandler)
    let videoPermissionProvider: ((Container) -> VideoPermissionProvider)
    let retryNotifyingFactoryProvider: ((Container) -> RetryNotifyingFactory)
    let reflectorManagerProvider: ((Container) -> ReflectorManager)
    let networkingProvider: ((Container) -> Networking)
    let mediaNetworkingProvider: ((Container) -> MediaNetworking)

    public init(analyticsStoreIDProvider: @escaping ((Container) -> AnalyticsStoreIDProviding),
                analyticsMembershipProvider: @escaping ((Container) -> AnalyticsMembershipProviding),
                analyticsCustomerInfoProvider: @escaping ((Container) -> AnalyticsCustomerInfoProviding),
                analyticsLocationInfoProvider: @escaping ((Container) -> AnalyticsLocationInfoProviding),
                addressConfigurationAPI: @escaping ((Container) -> AddressConfigurationAPI),
                quimbyAuthProvider: @escaping ((Container) -> QuimbyAuthProviding),
                quimbyCartProvider: @escaping ((Container) -> QuimbyCartProviding),
                userAgentProvider:@escaping ((Container) -> UserAgentProviding),
                userDefaultsRegistrationAPI:@escaping ((Container) -> UserDefaultsRegistrationPlatformAPI),
                analyticsPrivider:@escaping ((Container) -> Analytics),
                storageAPIProvider:@escaping ((Container) -> StorageAPI),
                analyticsSessionProvider:@escaping ((Container) -> AnalyticsSessionProvider),
                appProcessInfoProvider:@escaping ((Container) -> AppProcessInfo),
                deepLinkerProvider:@escaping ((Container) -> DeepLinker),
                environmentAPIProvider:@escaping ((Container) -> EnvironmentAPI),
                errorCoordinatorProvider:@escaping ((Container) -> ErrorCoordinatorProducing),
                locationUpdatesProvider:@escaping ((Container) -> LocationUpdatesProvider),
                cookieStorageAPIProvider:@escaping ((Container) -> CookieStorageAPI),
                urlSessionConfigurationAPIProvider:@escaping ((Container) -> URLSessionConfigurationAPI),
                preferencesStorageProvider:@escaping ((Container) -> PreferencesStorage),
                networkInformationProvider:@escaping ((Container) -> NetworkInformationProvider),
                notificationPermissionProvider:@escaping ((Container) -> NotificationPermissionProvider),
                locationPermissionProvider: @escaping ((Container) -> LocationPermissionProvider),
                appInfoAPIProvider:@escaping ((Container) -> AppInfoAPI),
                startupPreferenceAPIProvider:@escaping ((Container) -> StartupPreferenceAPI),
                applicationURLHandlerProvider:@escaping ((Container) -> ApplicationURLHandler),
                videoPermissionProvider:@escaping ((Container) -> VideoPermissionProvider),
                retryNotifyingFactoryProvider:@escaping ((Container) -> RetryNotifyingFactory),
                reflectorManagerProvider: @escaping ((Container) -> ReflectorManager),
                networkingProvider:@escaping ((Container) -> Networking),
                mediaNetworkingProvider:@escaping ((Container) -> MediaNetworking)) {
        self.analyticsStoreIDProvider = analyticsStoreIDProvider
        self.analyticsMembershipProvider = analyticsMembershipProvider
        self.analyticsCustomerInfoProvider = analyticsCustomerInfoProvider
        self.analyticsLocationInfoProvider = analyticsLocationInfoProvider
        self.quimbyAuthProvider = quimbyAuthProvider
        self.quimbyCartProvider = quimbyCartProvider
        self.addressConfigurationAPI = addressConfigurationAPI
        self.userAgentProvider = userAgentProvider
        self.userDefaultsRegistrationAPI = userDefaultsRegistrationAPI
        self.analyticsPrivider = analyticsPrivider
        self.storageAPIProvider = storageAPIProvider
        self.analyticsSessionProvider = analyticsSessionProvider
        self.appProcessInfoProvider = appProcessInfoProvider
        self.deepLinkerProvider = deepLinkerProvider
        self.environmentAPIProvider = environmentAPIProvider
        self.errorCoordinatorProvider = errorCoordinatorProvider
        self.locationUpdatesProvider = locationUpdatesProvider
        self.cookieStorageAPIProvider = cookieStorageAPIProvider
        self.urlSessionConfigurationAPIProvider = urlSessionConfigurationAPIProvider
        self.preferencesStorageProvider = preferencesStorageProvider
        self.networkInformationProvider = networkInformationProvider
        self.notificationPermissionProvider = notificationPermissionProvider
        self.locationPermissionProvider = locationPermissionProvider
        self.appInfoAPIProvider = appInfoAPIProvider
        self.startupPreferenceAPIProvider = startupPreferenceAPIProvider
        self.applicationURLHandlerProvider = applicationURLHandlerProvider
        self.videoPermissionProvider = videoPermissionProvider
        self.retryNotifyingFactoryProvider = retryNotifyingFactoryProvider
        self.reflectorManagerProvider = reflectorManagerProvider
        self.networkingProvider = networkingProvider
        self.mediaNetworkingProvider = mediaNetworkingProvider
    }
}

final class GlassAppProvider {
    static let mainApp: Container = {
        let container = Container()

        let analyticsInfoProvider = AnalyticsFeatureInfoProvider(container: container)
        let dependancies = PlatformDependancies(analyticsStoreIDProvider: { _ in
            analyticsInfoProvider
        }, analyticsMembershipProvider: { _ in
            analyticsInfoProvider
        }, analyticsCustomerInfoProvider: { _ in
            analyticsInfoProvider
        }, analyticsLocationInfoProvider: { _ in
            analyticsInfoProvider
        }, addressConfigurationAPI: { _ in
            AddressConfigurationPlatformAPI.usa
        }, quimbyAuthProvider: { container in
            QuimbyAuthProvider(container: container)
        }, quimbyCartProvider: { container in
            QuimbyCartProvider(container: container)
        }, userAgentProvider:{ _ in
            GlassUserAgent()
        }, userDefaultsRegistrationAPI: { container in
            UserDefaultsRegistrationPlatformAPI(configuration: .usa, container: container)
        }, analyticsPrivider: { container in
            let analyticsSessionProvider: AnalyticsSessionProvider? = container.getIfRegistered()
            let manager = AsyncAnalyticsManager(sessionProvider: analyticsSessionProvider)
            manager.addAniviaIntent(container: container,
                                    configuration: .usa)
            return manager
        }, storageAPIProvider: { _ in
            StoragePlatformAPI()
        }, analyticsSessionProvider: { container in
            WalmartPlatform.AnalyticsSession(container: container)
        }, appProcessInfoProvider:{ _ in
            ProcessInfo.processInfo
        }, deepLinkerProvider: { container in
            let router = DeepLinkRouter()
            container.setupDeeplinkerDependancies(deeplinker: router)
            return router
        }, environmentAPIProvider: { container in
            EnvironmentPlatformAPI(container: container, configurations: .usa)
        }, errorCoordinatorProvider: { container in
            ErrorCoordinatorManager(container: container)
        }, locationUpdatesProvider: { _ in
            LocationUpdates(allowsBackgroundLocationUpdates: false)
        }, cookieStorageAPIProvider: { container in
            CookieStoragePlatformAPI(configuration: .usa, container: container)
        }, urlSessionConfigurationAPIProvider: { container in
            URLSessionConfigurationPlatformAPI(container: container,
                                               configuration: .usa)
        }, preferencesStorageProvider: { _ in
            return Preferences(configuration: .usa)
        }, networkInformationProvider: { _ in
            NetworkInformationMonitor()
        }, notificationPermissionProvider: { _ in
            NotificationPermission(options: [.alert, .sound, .badge])
        }, locationPermissionProvider: { _ in
            do {
                let permission = try LocationPermission(locationPermissionLevel: .whenInUse)
                return permission
            } catch {
                fatalError(error.localizedDescription)
            }
        }, appInfoAPIProvider: { container in
            AppInfoPlatformAPI(configuration: .usa)
        }, startupPreferenceAPIProvider: { container in
            StartupPreferencePlatformAPI(container: container)
        }, applicationURLHandlerProvider: { _ in
            UIApplication.shared
        }, videoPermissionProvider: { _ in
            do {
                let videoPermission = try VideoPermission()
                return videoPermission
            } catch {
                fatalError(error.localizedDescription)
            }
        }, retryNotifyingFactoryProvider: { container in
            RetryNotifierFactory(ccmSource: container.get())
        }, reflectorManagerProvider: { container in
            CookieReflectorManager(container: container)
        }, networkingProvider: { container in
            container.networkingProvider()
        }, mediaNetworkingProvider: { container in
            container.mediaNetworkProvider()
        })

        container.setupPlatformDependancies(dependancies: dependancies)

        return container
    }()
}

public extension Container {
    func setupPlatformDependancies(dependancies: PlatformDependancies) {
        register(UserAgentProviding.self, dependancies.userAgentProvider )
        register(UserDefaultsRegistrationAPI.self, dependancies.userDefaultsRegistrationAPI)
        register(StorageAPI.self, dependancies.storageAPIProvider)
        register(AnalyticsStoreIDProviding.self, dependancies.analyticsStoreIDProvider )
        register(AnalyticsMembershipProviding.self, dependancies.analyticsMembershipProvider )
        register(AnalyticsCustomerInfoProviding.self, dependancies.analyticsCustomerInfoProvider )
        register(AnalyticsLocationInfoProviding.self, dependancies.analyticsLocationInfoProvider )
        register(Analytics.self, dependancies.analyticsPrivider)
        register(AnalyticsTracking.self) { $0.get(Analytics.self) }
        registerProvidingChild( AnalyticsSessionProvider.self, dependancies.analyticsSessionProvider)
        register(AppProcessInfo.self, dependancies.appProcessInfoProvider)
        registerProvidingChild(DeepLinker.self, dependancies.deepLinkerProvider)
        registerProvidingChild(ReflectorManager.self, dependancies.reflectorManagerProvider)
        register(EnvironmentAPI.self, dependancies.environmentAPIProvider)
        register(AddressConfigurationAPI.self, dependancies.addressConfigurationAPI )
        register(ErrorCoordinatorProducing.self, dependancies.errorCoordinatorProvider)
        register(LocationUpdatesProvider.self, dependancies.locationUpdatesProvider)
        register(CookieStorageAPI.self, dependancies.cookieStorageAPIProvider)
        register(URLSessionConfigurationAPI.self, dependancies.urlSessionConfigurationAPIProvider)
        register(PreferencesStorage.self, dependancies.preferencesStorageProvider)
        register(Networking.self, dependancies.networkingProvider )
        register(MediaNetworking.self, dependancies.mediaNetworkingProvider)
        register(NetworkInformationProvider.self, dependancies.networkInformationProvider)
        register(NotificationPermissionProvider.self, dependancies.notificationPermissionProvider)
        register(LocationPermissionProvider.self, dependancies.locationPermissionProvider)
        register(AppInfoAPI.self, dependancies.appInfoAPIProvider)
        register(StartupPreferenceAPI.self, dependancies.startupPreferenceAPIProvider)
        register(ApplicationURLHandler.self, dependancies.applicationURLHandlerProvider)
        register(VideoPermissionProvider.self, dependancies.videoPermissionProvider)
        register(RetryNotifyingFactory.self, dependancies.retryNotifyingFactoryProvider)
        register(QuimbyAuthProviding.self, dependancies.quimbyAuthProvider )
        register(QuimbyCartProviding.self, dependancies.quimbyCartProvider )
    }
}
