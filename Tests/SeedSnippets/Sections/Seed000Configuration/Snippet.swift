// swift-format-ignore-file
// The snippets are printed verbatim.
import Foundation
import GlassContainer
import GlassDeepLinking
import GlassPlatform
import WalmartPlatform

// 000:276-356
public struct PlatformConfig {
    let userDefaultsRegistrationAPIConfig: UserDefaultsRegistrationPlatformAPI.Configuration
    let aniviaSuperAttributesConfiguration: AniviaSuperAttributes.Configuration
    let environmentPlatformAPIAPIConfig: EnvironmentPlatformAPI.Configurations
    let urlSessionConfigurationPlatformAPIConfig: URLSessionConfigurationPlatformAPI.Configuration
    let networkingConfig: Networking.Configuration
    let appInfoPlatformAPIConfig: AppInfoPlatformAPI.Configuration
    let preferencesConfig: Preferences.Configuration
    let cookieStoragePlatformAPIConfig: CookieStoragePlatformAPI.Configuration

    public init(userDefaultsRegistrationAPIConfig: UserDefaultsRegistrationPlatformAPI.Configuration,
                aniviaSuperAttributesConfiguration: AniviaSuperAttributes.Configuration,
                environmentPlatformAPIAPIConfig: EnvironmentPlatformAPI.Configurations,
                urlSessionConfigurationPlatformAPIConfig: URLSessionConfigurationPlatformAPI.Configuration,
                networkingConfig: Networking.Configuration,
                appInfoPlatformAPIConfig: AppInfoPlatformAPI.Configuration,
                preferencesConfig: Preferences.Configuration,
                cookieStoragePlatformAPIConfig: CookieStoragePlatformAPI.Configuration) {
        self.userDefaultsRegistrationAPIConfig = userDefaultsRegistrationAPIConfig
        self.aniviaSuperAttributesConfiguration = aniviaSuperAttributesConfiguration
        self.environmentPlatformAPIAPIConfig = environmentPlatformAPIAPIConfig
        self.cookieStoragePlatformAPIConfig = cookieStoragePlatformAPIConfig
        self.urlSessionConfigurationPlatformAPIConfig = urlSessionConfigurationPlatformAPIConfig
        self.networkingConfig = networkingConfig
        self.preferencesConfig = preferencesConfig
        self.appInfoPlatformAPIConfig = appInfoPlatformAPIConfig
    }
}

extension Container {
    public func setupPlatformdependencies(with configuration: PlatformConfig) {
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

final class GlassAppProvider {
    static let mainApp: Container = {
        let container = Container()
        let config = PlatformConfig(userDefaultsRegistrationAPIConfig: .usa,
                                    aniviaSuperAttributesConfiguration: .usa,
                                    environmentPlatformAPIAPIConfig: .usa,
                                    urlSessionConfigurationPlatformAPIConfig: .usa,
                                    networkingConfig: .usa,
                                    appInfoPlatformAPIConfig: .usa,
                                    preferencesConfig: .usa,
                                    cookieStoragePlatformAPIConfig: .usa,)
        container.setupPlatformdependencies(with: config)
        return container
    }()
}
