public import GlassDeepLinking

extension PlatformDependencies {
    /// Makes the `AddressConfigurationAPI`; nil leaves it to the platform.
    public var addressConfigurationAPIProvider: Provider<any AddressConfigurationAPI>? {
        get { self[(any AddressConfigurationAPI).self] }
        set { self[(any AddressConfigurationAPI).self] = newValue }
    }

    /// Makes the `Analytics`; nil leaves it to the platform.
    public var analyticsProvider: Provider<any Analytics>? {
        get { self[(any Analytics).self] }
        set { self[(any Analytics).self] = newValue }
    }

    /// Makes the `AnalyticsCustomerInfoProviding`; nil leaves it to the platform.
    public var analyticsCustomerInfoProvider: Provider<any AnalyticsCustomerInfoProviding>? {
        get { self[(any AnalyticsCustomerInfoProviding).self] }
        set { self[(any AnalyticsCustomerInfoProviding).self] = newValue }
    }

    /// Makes the `AnalyticsLocationInfoProviding`; nil leaves it to the platform.
    public var analyticsLocationInfoProvider: Provider<any AnalyticsLocationInfoProviding>? {
        get { self[(any AnalyticsLocationInfoProviding).self] }
        set { self[(any AnalyticsLocationInfoProviding).self] = newValue }
    }

    /// Makes the `AnalyticsMembershipProviding`; nil leaves it to the platform.
    public var analyticsMembershipProvider: Provider<any AnalyticsMembershipProviding>? {
        get { self[(any AnalyticsMembershipProviding).self] }
        set { self[(any AnalyticsMembershipProviding).self] = newValue }
    }

    /// Makes the `AnalyticsSessionProvider`; nil leaves it to the platform.
    public var analyticsSessionProvider: Provider<any AnalyticsSessionProvider>? {
        get { self[(any AnalyticsSessionProvider).self] }
        set { self[(any AnalyticsSessionProvider).self] = newValue }
    }

    /// Makes the `AnalyticsStoreIDProviding`; nil leaves it to the platform.
    public var analyticsStoreIDProvider: Provider<any AnalyticsStoreIDProviding>? {
        get { self[(any AnalyticsStoreIDProviding).self] }
        set { self[(any AnalyticsStoreIDProviding).self] = newValue }
    }

    /// Makes the `AnalyticsTracking`; nil leaves it to the platform.
    public var analyticsTrackingProvider: Provider<any AnalyticsTracking>? {
        get { self[(any AnalyticsTracking).self] }
        set { self[(any AnalyticsTracking).self] = newValue }
    }

    /// Makes the `AppInfoAPI`; nil leaves it to the platform.
    public var appInfoAPIProvider: Provider<any AppInfoAPI>? {
        get { self[(any AppInfoAPI).self] }
        set { self[(any AppInfoAPI).self] = newValue }
    }

    /// Makes the `AppProcessInfo`; nil leaves it to the platform.
    public var appProcessInfoProvider: Provider<any AppProcessInfo>? {
        get { self[(any AppProcessInfo).self] }
        set { self[(any AppProcessInfo).self] = newValue }
    }

    /// Makes the `ApplicationURLHandler`; nil leaves it to the platform.
    public var applicationURLHandlerProvider: Provider<any ApplicationURLHandler>? {
        get { self[(any ApplicationURLHandler).self] }
        set { self[(any ApplicationURLHandler).self] = newValue }
    }

    /// Makes the `CookieStorageAPI`; nil leaves it to the platform.
    public var cookieStorageAPIProvider: Provider<any CookieStorageAPI>? {
        get { self[(any CookieStorageAPI).self] }
        set { self[(any CookieStorageAPI).self] = newValue }
    }

    /// Makes the `DeepLinker`; nil leaves it to the platform.
    public var deepLinkerProvider: Provider<any DeepLinker>? {
        get { self[(any DeepLinker).self] }
        set { self[(any DeepLinker).self] = newValue }
    }

    /// Makes the `EnvironmentAPI`; nil leaves it to the platform.
    public var environmentAPIProvider: Provider<any EnvironmentAPI>? {
        get { self[(any EnvironmentAPI).self] }
        set { self[(any EnvironmentAPI).self] = newValue }
    }

    /// Makes the `ErrorCoordinatorProducing`; nil leaves it to the platform.
    public var errorCoordinatorProvider: Provider<any ErrorCoordinatorProducing>? {
        get { self[(any ErrorCoordinatorProducing).self] }
        set { self[(any ErrorCoordinatorProducing).self] = newValue }
    }

    /// Makes the `LocationPermissionProvider`; nil leaves it to the platform.
    public var locationPermissionProvider: Provider<any LocationPermissionProvider>? {
        get { self[(any LocationPermissionProvider).self] }
        set { self[(any LocationPermissionProvider).self] = newValue }
    }

    /// Makes the `LocationUpdatesProvider`; nil leaves it to the platform.
    public var locationUpdatesProvider: Provider<any LocationUpdatesProvider>? {
        get { self[(any LocationUpdatesProvider).self] }
        set { self[(any LocationUpdatesProvider).self] = newValue }
    }

    /// Makes the `MediaNetworking`; nil leaves it to the platform.
    public var mediaNetworkingProvider: Provider<any MediaNetworking>? {
        get { self[(any MediaNetworking).self] }
        set { self[(any MediaNetworking).self] = newValue }
    }

    /// Makes the `NetworkInformationProvider`; nil leaves it to the platform.
    public var networkInformationProvider: Provider<any NetworkInformationProvider>? {
        get { self[(any NetworkInformationProvider).self] }
        set { self[(any NetworkInformationProvider).self] = newValue }
    }

    /// Makes the `Networking`; nil leaves it to the platform.
    public var networkingProvider: Provider<any Networking>? {
        get { self[(any Networking).self] }
        set { self[(any Networking).self] = newValue }
    }

    /// Makes the `NotificationPermissionProvider`; nil leaves it to the platform.
    public var notificationPermissionProvider: Provider<any NotificationPermissionProvider>? {
        get { self[(any NotificationPermissionProvider).self] }
        set { self[(any NotificationPermissionProvider).self] = newValue }
    }

    /// Makes the `PreferencesStorage`; nil leaves it to the platform.
    public var preferencesStorageProvider: Provider<any PreferencesStorage>? {
        get { self[(any PreferencesStorage).self] }
        set { self[(any PreferencesStorage).self] = newValue }
    }

    /// Makes the `QuimbyAuthProviding`; nil leaves it to the platform.
    public var quimbyAuthProvider: Provider<any QuimbyAuthProviding>? {
        get { self[(any QuimbyAuthProviding).self] }
        set { self[(any QuimbyAuthProviding).self] = newValue }
    }

    /// Makes the `QuimbyCartProviding`; nil leaves it to the platform.
    public var quimbyCartProvider: Provider<any QuimbyCartProviding>? {
        get { self[(any QuimbyCartProviding).self] }
        set { self[(any QuimbyCartProviding).self] = newValue }
    }

    /// Makes the `ReflectorManager`; nil leaves it to the platform.
    public var reflectorManagerProvider: Provider<any ReflectorManager>? {
        get { self[(any ReflectorManager).self] }
        set { self[(any ReflectorManager).self] = newValue }
    }

    /// Makes the `RemoteConfigurationAPI`; nil leaves it to the platform.
    public var remoteConfigurationAPIProvider: Provider<any RemoteConfigurationAPI>? {
        get { self[(any RemoteConfigurationAPI).self] }
        set { self[(any RemoteConfigurationAPI).self] = newValue }
    }

    /// Makes the `RetryNotifyingFactory`; nil leaves it to the platform.
    public var retryNotifyingFactoryProvider: Provider<any RetryNotifyingFactory>? {
        get { self[(any RetryNotifyingFactory).self] }
        set { self[(any RetryNotifyingFactory).self] = newValue }
    }

    /// Makes the `StartupPreferenceAPI`; nil leaves it to the platform.
    public var startupPreferenceAPIProvider: Provider<any StartupPreferenceAPI>? {
        get { self[(any StartupPreferenceAPI).self] }
        set { self[(any StartupPreferenceAPI).self] = newValue }
    }

    /// Makes the `StorageAPI`; nil leaves it to the platform.
    public var storageAPIProvider: Provider<any StorageAPI>? {
        get { self[(any StorageAPI).self] }
        set { self[(any StorageAPI).self] = newValue }
    }

    /// Makes the `URLSessionConfigurationAPI`; nil leaves it to the platform.
    public var urlSessionConfigurationAPIProvider: Provider<any URLSessionConfigurationAPI>? {
        get { self[(any URLSessionConfigurationAPI).self] }
        set { self[(any URLSessionConfigurationAPI).self] = newValue }
    }

    /// Makes the `UserAgentProviding`; nil leaves it to the platform.
    public var userAgentProvider: Provider<any UserAgentProviding>? {
        get { self[(any UserAgentProviding).self] }
        set { self[(any UserAgentProviding).self] = newValue }
    }

    /// Makes the `UserDefaultsRegistrationAPI`; nil leaves it to the platform.
    public var userDefaultsRegistrationAPI: Provider<any UserDefaultsRegistrationAPI>? {
        get { self[(any UserDefaultsRegistrationAPI).self] }
        set { self[(any UserDefaultsRegistrationAPI).self] = newValue }
    }

    /// Makes the `VideoPermissionProvider`; nil leaves it to the platform.
    public var videoPermissionProvider: Provider<any VideoPermissionProvider>? {
        get { self[(any VideoPermissionProvider).self] }
        set { self[(any VideoPermissionProvider).self] = newValue }
    }
}
