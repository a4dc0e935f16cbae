public import GlassDeepLinking

extension PlatformDependencies {
    /// Makes the `AddressConfigurationAPI`; nil leaves it to the platform.
    public var addressConfigurationAPIProvider: Provider<any AddressConfigurationAPI>? {
        get { self[(any AddressConfigurationAPI).self] }
        set { self[(any AddressConfigurationAPI).self] = newValue }
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

    /// Makes the `NotificationPermissionProvider`; nil leaves it to the platform.
    public var notificationPermissionProvider: Provider<any NotificationPermissionProvider>? {
        get { self[(any NotificationPermissionProvider).self] }
        set { self[(any NotificationPermissionProvider).self] = newValue }
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
