// swift-format-ignore-file
// Most of the code is printed verbatim.
import Foundation
import GlassContainer
import GlassDeepLinking
import GlassPlatform

// The values of a market that seed 000 leaves to the team.
extension UserDefaultsRegistrationPlatformAPI.Configuration {
    static var usa: Self {
        var configuration = Self()
        configuration.suite = "com.walmart.seeds"
        return configuration
    }
}

extension AniviaSuperAttributes.Configuration {
    static var usa: Self {
        var configuration = Self()
        configuration.tenant = "walmart-us"
        return configuration
    }
}

extension EnvironmentPlatformAPI.Configurations {
    static var usa: Self {
        var production = Environment()
        production.services = ["orchestra": "https://www.walmart.com/orchestra"]
        var configuration = Self()
        configuration.default = "production"
        configuration.environments = ["production": production]
        return configuration
    }
}

extension URLSessionConfigurationPlatformAPI.Configuration {
    static var usa: Self { Self() }
}

extension NetworkingConfiguration {
    static var usa: Self {
        var configuration = Self()
        configuration.defaultService = "orchestra"
        return configuration
    }
}

extension AppInfoPlatformAPI.Configuration {
    static var usa: Self {
        var configuration = Self()
        configuration.name = "Walmart"
        configuration.bundleIdentifier = "com.walmart.electronics"
        configuration.version = "24.3.0"
        configuration.teamIdentifier = "ABCDE12345"
        configuration.appStoreIdentifier = "338137227"
        return configuration
    }
}

extension Preferences.Configuration {
    static var usa: Self {
        var store = PreferencesConfiguration.Preference()
        store.type = .integer
        store.default = .integer(100)
        var configuration = Self()
        configuration.suite = "com.walmart.seeds"
        configuration.keys = ["storeID": store]
        return configuration
    }
}

extension CookieStoragePlatformAPI.Configuration {
    static var usa: Self { Self() }
}

extension AddressConfigurationPlatformAPI {
    static var usa: AddressConfigurationPlatformAPI {
        AddressConfigurationPlatformAPI(configuration: AddressConfiguration(locale: Locale(identifier: "en_US")))
    }
}

/// Stands for `UIApplication.shared`.
private final class AppURLHandler: ApplicationURLHandler {
    func canOpen(_ url: String) -> Bool { false }
    func open(_ url: String) async throws(ApplicationURLError) { throw .noOpener("UIKit") }
}

@available(*, deprecated)
enum PrintedSetups {
    // 000:136-222, with the corrections of Tests/SeedSnippets/README.md.
    static func option1() -> Container {
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
            AnalyticsSession(container: container)
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
            AppURLHandler()
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
    }

    // 000:343-353
    static var usa: PlatformConfig {
        PlatformConfig(userDefaultsRegistrationAPIConfig: .usa,
                       aniviaSuperAttributesConfiguration: .usa,
                       environmentPlatformAPIAPIConfig: .usa,
                       urlSessionConfigurationPlatformAPIConfig: .usa,
                       networkingConfig: .usa,
                       appInfoPlatformAPIConfig: .usa,
                       preferencesConfig: .usa,
                       cookieStoragePlatformAPIConfig: .usa,)
    }
}

@available(*, deprecated)
extension Container {
    // 000:302-338: the team's own function, with the prefix `configuration.` in its last two calls.
    func setupOption2(with configuration: PlatformConfig) {
        register(UserDefaultsRegistrationAPI.self) {
            UserDefaultsRegistrationPlatformAPI(configuration: configuration.userDefaultsRegistrationAPIConfig,
                                                container: $0)
        }

        register(Analytics.self) { (container) in
            let analyticsSessionProvider: AnalyticsSessionProvider? = container.getIfRegistered()
            let manager = AsyncAnalyticsManager(sessionProvider: analyticsSessionProvider)
            manager.addAniviaIntent(container: container,
                                    configuration: configuration.aniviaSuperAttributesConfiguration)
            return manager
        }

        register(EnvironmentAPI.self) {
            EnvironmentPlatformAPI(container: $0,
                                   configurations: configuration.environmentPlatformAPIAPIConfig)
        }
        register(URLSessionConfigurationAPI.self) {
            URLSessionConfigurationPlatformAPI(container: $0,
                                               configuration: configuration.urlSessionConfigurationPlatformAPIConfig)
        }
        setupNetworking(setupTracking: true, configuration: configuration.networkingConfig)
        register(AppInfoAPI.self, {
            AppInfoPlatformAPI(configuration: configuration.appInfoPlatformAPIConfig) })

        register(CookieStorageAPI.self) {
            CookieStoragePlatformAPI(configuration: configuration.cookieStoragePlatformAPIConfig,
                                     container: $0)
        }
        setupPreferencesStorage(configuration: configuration.preferencesConfig)
    }
}
