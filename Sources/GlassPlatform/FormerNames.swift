// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Names of apps that are older than this package. Each works, with a warning that contains the current one; the migration
// guide of GlassContainer has a table of them. There is a message in place of `renamed` where the compiler's fix would only
// replace labels, and so pass the container as something else. All functions are disfavored, so that an app can keep its
// own with the same name, even in another of its modules, where a call would otherwise be ambiguous.
//
// An initializer that was passed a container looks up in it what it needs when it needs it, because an app may register
// that later. One that is passed nothing does so in the container whose factory calls it.
import Foundation
public import GlassContainer
public import GlassDeepLinking
public import GlassSchema

// MARK: Setting up the container

extension Container {
    @available(*, deprecated, renamed: "setupPlatformDependencies(with:)")
    @_disfavoredOverload @discardableResult
    public func setupPlatformdependencies(with configuration: PlatformConfig) -> [Finding] {
        setupPlatformDependencies(with: configuration)
    }

    @available(*, deprecated, renamed: "setupPlatformDependencies(dependencies:)")
    @_disfavoredOverload
    public func setupPlatformDependancies(dependancies: PlatformDependencies) {
        setupPlatformDependencies(dependencies: dependancies)
    }

    @available(*, deprecated, renamed: "setupDeepLinkerDependencies(deepLinker:)")
    @_disfavoredOverload
    public func setupDeeplinkerDependancies(deeplinker: any DeepLinker) {
        setupDeepLinkerDependencies(deepLinker: deeplinker)
    }

    @available(*, deprecated, message: "remove it; setupPlatformDependencies(with:) registers the service")
    @_disfavoredOverload
    public func networkingProvider() -> any Networking { childWithNetworking.get() }

    @available(*, deprecated, message: "remove it; setupPlatformDependencies(with:) registers the service")
    @_disfavoredOverload
    public func mediaNetworkProvider() -> any MediaNetworking { childWithNetworking.get() }

    /// A child, because the factory that asks is usually this container's own factory of the same service.
    private var childWithNetworking: Container {
        let child = Container(parent: self)
        child.setupNetworking(
            setupTracking: true,
            configuration: getIfRegistered(PlatformConfig.self)?.networking ?? NetworkingConfiguration())
        return child
    }
}

@available(*, deprecated, renamed: "PlatformDependencies")
public typealias PlatformDependancies = PlatformDependencies

extension PlatformDependencies {
    @available(*, deprecated, message: "set the services of PlatformDependencies() by their types")
    @_disfavoredOverload
    public init(
        analyticsStoreIDProvider: @escaping Provider<any AnalyticsStoreIDProviding>,
        analyticsMembershipProvider: @escaping Provider<any AnalyticsMembershipProviding>,
        analyticsCustomerInfoProvider: @escaping Provider<any AnalyticsCustomerInfoProviding>,
        analyticsLocationInfoProvider: @escaping Provider<any AnalyticsLocationInfoProviding>,
        addressConfigurationAPI: @escaping Provider<any AddressConfigurationAPI>,
        quimbyAuthProvider: @escaping Provider<any QuimbyAuthProviding>,
        quimbyCartProvider: @escaping Provider<any QuimbyCartProviding>,
        userAgentProvider: @escaping Provider<any UserAgentProviding>,
        userDefaultsRegistrationAPI: @escaping Provider<UserDefaultsRegistrationPlatformAPI>,
        analyticsPrivider: @escaping Provider<any Analytics>,
        storageAPIProvider: @escaping Provider<any StorageAPI>,
        analyticsSessionProvider: @escaping Provider<any AnalyticsSessionProvider>,
        appProcessInfoProvider: @escaping Provider<any AppProcessInfo>,
        deepLinkerProvider: @escaping Provider<any DeepLinker>,
        environmentAPIProvider: @escaping Provider<any EnvironmentAPI>,
        errorCoordinatorProvider: @escaping Provider<any ErrorCoordinatorProducing>,
        locationUpdatesProvider: @escaping Provider<any LocationUpdatesProvider>,
        cookieStorageAPIProvider: @escaping Provider<any CookieStorageAPI>,
        urlSessionConfigurationAPIProvider: @escaping Provider<any URLSessionConfigurationAPI>,
        preferencesStorageProvider: @escaping Provider<any PreferencesStorage>,
        networkInformationProvider: @escaping Provider<any NetworkInformationProvider>,
        notificationPermissionProvider: @escaping Provider<any NotificationPermissionProvider>,
        locationPermissionProvider: @escaping Provider<any LocationPermissionProvider>,
        appInfoAPIProvider: @escaping Provider<any AppInfoAPI>,
        startupPreferenceAPIProvider: @escaping Provider<any StartupPreferenceAPI>,
        applicationURLHandlerProvider: @escaping Provider<any ApplicationURLHandler>,
        videoPermissionProvider: @escaping Provider<any VideoPermissionProvider>,
        retryNotifyingFactoryProvider: @escaping Provider<any RetryNotifyingFactory>,
        reflectorManagerProvider: @escaping Provider<any ReflectorManager>,
        networkingProvider: @escaping Provider<any Networking>,
        mediaNetworkingProvider: @escaping Provider<any MediaNetworking>
    ) {
        self.init()
        self[(any AnalyticsStoreIDProviding).self] = analyticsStoreIDProvider
        self[(any AnalyticsMembershipProviding).self] = analyticsMembershipProvider
        self[(any AnalyticsCustomerInfoProviding).self] = analyticsCustomerInfoProvider
        self[(any AnalyticsLocationInfoProviding).self] = analyticsLocationInfoProvider
        self[(any AddressConfigurationAPI).self] = addressConfigurationAPI
        self[(any QuimbyAuthProviding).self] = quimbyAuthProvider
        self[(any QuimbyCartProviding).self] = quimbyCartProvider
        self[(any UserAgentProviding).self] = userAgentProvider
        self[(any UserDefaultsRegistrationAPI).self] = { userDefaultsRegistrationAPI($0) }
        self[(any Analytics).self] = analyticsPrivider
        self[(any AnalyticsTracking).self] = { $0.get((any Analytics).self) }
        self[(any StorageAPI).self] = storageAPIProvider
        self[(any AnalyticsSessionProvider).self] = analyticsSessionProvider
        self[(any AppProcessInfo).self] = appProcessInfoProvider
        self[(any DeepLinker).self] = deepLinkerProvider
        self[(any EnvironmentAPI).self] = environmentAPIProvider
        self[(any ErrorCoordinatorProducing).self] = errorCoordinatorProvider
        self[(any LocationUpdatesProvider).self] = locationUpdatesProvider
        self[(any CookieStorageAPI).self] = cookieStorageAPIProvider
        self[(any URLSessionConfigurationAPI).self] = urlSessionConfigurationAPIProvider
        self[(any PreferencesStorage).self] = preferencesStorageProvider
        self[(any NetworkInformationProvider).self] = networkInformationProvider
        self[(any NotificationPermissionProvider).self] = notificationPermissionProvider
        self[(any LocationPermissionProvider).self] = locationPermissionProvider
        self[(any AppInfoAPI).self] = appInfoAPIProvider
        self[(any StartupPreferenceAPI).self] = startupPreferenceAPIProvider
        self[(any ApplicationURLHandler).self] = applicationURLHandlerProvider
        self[(any VideoPermissionProvider).self] = videoPermissionProvider
        self[(any RetryNotifyingFactory).self] = retryNotifyingFactoryProvider
        self[(any ReflectorManager).self] = reflectorManagerProvider
        self[(any Networking).self] = networkingProvider
        self[(any MediaNetworking).self] = mediaNetworkingProvider
    }
}

// MARK: Configuration

extension PlatformConfig {
    @available(*, deprecated, renamed: "init(_:)", message: "set the properties that differ from the defaults")
    @_disfavoredOverload
    public init(
        userDefaultsRegistrationAPIConfig: UserDefaultsRegistrationPlatformAPI.Configuration,
        aniviaSuperAttributesConfiguration: AniviaSuperAttributes.Configuration,
        environmentPlatformAPIAPIConfig: EnvironmentPlatformAPI.Configurations,
        urlSessionConfigurationPlatformAPIConfig: URLSessionConfigurationPlatformAPI.Configuration,
        networkingConfig: NetworkingConfiguration,
        appInfoPlatformAPIConfig: AppInfoPlatformAPI.Configuration,
        preferencesConfig: Preferences.Configuration,
        cookieStoragePlatformAPIConfig: CookieStoragePlatformAPI.Configuration
    ) {
        self.init()
        userDefaultsRegistration = userDefaultsRegistrationAPIConfig
        aniviaSuperAttributes = aniviaSuperAttributesConfiguration
        environment = environmentPlatformAPIAPIConfig
        urlSession = urlSessionConfigurationPlatformAPIConfig
        networking = networkingConfig
        appInfo = appInfoPlatformAPIConfig
        preferences = preferencesConfig
        cookieStorage = cookieStoragePlatformAPIConfig
        // A market has no default country, but the former initializer has no argument for it.
        address = AddressConfiguration(locale: .current)
    }

    @available(*, deprecated, renamed: "userDefaultsRegistration")
    public var userDefaultsRegistrationAPIConfig: UserDefaultsRegistrationConfiguration { userDefaultsRegistration }

    @available(*, deprecated, renamed: "aniviaSuperAttributes")
    public var aniviaSuperAttributesConfiguration: AniviaSuperAttributesConfiguration { aniviaSuperAttributes }

    @available(*, deprecated, renamed: "environment")
    public var environmentPlatformAPIAPIConfig: EnvironmentConfiguration { environment }

    @available(*, deprecated, renamed: "urlSession")
    public var urlSessionConfigurationPlatformAPIConfig: SessionConfiguration { urlSession }

    @available(*, deprecated, renamed: "networking")
    public var networkingConfig: NetworkingConfiguration { networking }

    @available(*, deprecated, renamed: "appInfo")
    public var appInfoPlatformAPIConfig: AppInfoConfiguration { appInfo }

    @available(*, deprecated, renamed: "preferences")
    public var preferencesConfig: PreferencesConfiguration { preferences }

    @available(*, deprecated, renamed: "cookieStorage")
    public var cookieStoragePlatformAPIConfig: CookieStorageConfiguration { cookieStorage }
}

// Not deprecated, like the aliases of the same name in the other services.

public enum AniviaSuperAttributes {
    public typealias Configuration = AniviaSuperAttributesConfiguration
}

extension Networking {
    public typealias Configuration = NetworkingConfiguration
}

// MARK: Services that took the container

@available(*, deprecated, renamed: "AsyncAnalyticsManager")
public typealias AnalyticsManager = AsyncAnalyticsManager

extension AsyncAnalyticsManager {
    @available(*, deprecated, message: "remove it; setupPlatformDependencies(with:) registers the service")
    @_disfavoredOverload
    public convenience init(container: Container) {
        self.init(sessionProvider: nil, container: LateContainer(container))
    }
}

extension AnalyticsFeatureInfoProvider {
    @available(*, deprecated, message: "remove it; setupPlatformDependencies(with:) registers the service")
    @_disfavoredOverload
    public convenience init(container: Container) { self.init(storage: LateStorage(LateContainer(container))) }
}

extension AnalyticsSession {
    @available(*, deprecated, message: "remove it; setupPlatformDependencies(with:) registers the service")
    @_disfavoredOverload
    public convenience init(container: Container) {
        let container = LateContainer(container)
        self.init(clock: container.host.telemetry.clock) { container.host.telemetry.sessionTimeout }
    }
}

extension CookieStoragePlatformAPI {
    @available(*, deprecated, message: "remove it; setupPlatformDependencies(with:) registers the service")
    @_disfavoredOverload
    public convenience init(configuration: Configuration, container: Container) {
        let container = LateContainer(container)
        self.init(configuration: configuration) { container.host }
    }
}

extension EnvironmentPlatformAPI {
    @available(*, deprecated, message: "remove it; setupPlatformDependencies(with:) registers the service")
    @_disfavoredOverload
    public convenience init(container: Container, configurations: Configurations) {
        self.init(LateContainer(container), configurations: configurations)
    }
}

extension ErrorCoordinatorManager {
    @available(*, deprecated, message: "remove it; setupPlatformDependencies(with:) registers the service")
    @_disfavoredOverload
    public convenience init(container: Container) { self.init(LateContainer(container)) }
}

extension GlassUserAgent {
    @available(*, deprecated, renamed: "init(appInfo:)")
    @_disfavoredOverload
    public convenience init() { self.init(.building) }
}

extension QuimbyAuthProvider {
    @available(*, deprecated, message: "remove it; setupPlatformDependencies(with:) registers the service")
    @_disfavoredOverload
    public convenience init(container: Container) {
        let late = LateContainer(container)
        self.init(
            storage: LateStorage(late), tokens: LateSignInTokens(late),
            customerHeader: late.quimby.customerHeader)
    }
}

extension QuimbyCartProvider {
    @available(*, deprecated, message: "remove it; setupPlatformDependencies(with:) registers the service")
    @_disfavoredOverload
    public convenience init(container: Container) {
        let late = LateContainer(container)
        self.init(storage: LateStorage(late)) { late.quimby.cartHeader }
    }
}

extension StartupPreferencePlatformAPI {
    @available(*, deprecated, message: "remove it; setupPlatformDependencies(with:) registers the service")
    @_disfavoredOverload
    public convenience init(container: Container) {
        let host = LateContainer(container).host
        self.init(folder: host.programFolder, host: host.storage)
    }
}

extension URLSessionConfigurationPlatformAPI {
    @available(*, deprecated, message: "remove it; setupPlatformDependencies(with:) registers the service")
    @_disfavoredOverload
    public convenience init(container: Container, configuration: Configuration) {
        self.init(LateContainer(container), configuration: configuration)
    }
}

extension UserDefaultsRegistrationPlatformAPI {
    @available(*, deprecated, renamed: "init(configuration:)")
    @_disfavoredOverload
    public convenience init(configuration: Configuration, container: Container) {
        self.init(configuration: configuration)
    }
}

// MARK: Services that are created without the container

// These names are current, but as printed, nothing is passed for what the platform's own services get from the host of
// their container. The initializers with more parameters are not affected.

extension Preferences {
    /// Creates the preferences of a container, in the factory that calls this; elsewhere, with the default storage.
    ///
    /// - Parameter configuration: The market's declaration.
    public convenience init(configuration: Configuration) {
        self.init(configuration: configuration, storage: LateStorage(.building))
    }
}

extension NotificationPermission {
    /// Creates the service. In a container's factory, it uses the permission prompt of the container's host. Elsewhere, it
    /// denies every request.
    ///
    /// - Parameter options: The notification features that the app requests.
    public convenience init(options: [PermissionsConfiguration.NotificationOption]) {
        self.init(options: options, prompt: DeviceHost.building?.prompt)
    }
}

extension LocationPermission {
    /// Creates the service. In a container's factory, it uses the permission prompt of the container's host. Elsewhere, it
    /// denies every request.
    ///
    /// - Parameter locationPermissionLevel: When the app can access the device's location.
    /// - Throws: ``PermissionError/missingUsageDescription(_:key:)``, as the initializer with a prompt.
    public convenience init(
        locationPermissionLevel: PermissionsConfiguration.LocationLevel
    ) throws(PermissionError) {
        let device = DeviceHost.building
        try self.init(
            locationPermissionLevel: locationPermissionLevel, prompt: device?.prompt,
            usage: device?.usageDescriptions ?? .system)
    }
}

extension VideoPermission {
    /// Creates the service. In a container's factory, it uses the permission prompt of the container's host. Elsewhere, it
    /// denies every request.
    ///
    /// - Throws: ``PermissionError``, as the initializer with a prompt.
    public convenience init() throws(PermissionError) {
        let device = DeviceHost.building
        try self.init(
            prompt: device?.prompt, usage: device?.usageDescriptions ?? .system, camera: device?.camera ?? .system)
    }
}

extension LocationUpdates {
    /// Creates the service with the source of a container's host and the container's permission, in a factory of the
    /// container; elsewhere, with the system's source and without a permission.
    ///
    /// - Parameter allowsBackgroundLocationUpdates: Whether updates continue while the app is in the background.
    public convenience init(allowsBackgroundLocationUpdates: Bool) {
        self.init(
            allowsBackgroundLocationUpdates: allowsBackgroundLocationUpdates,
            source: DeviceHost.building?.locationSource,
            permission: LateContainer.building.get((any LocationPermissionProvider).self))
    }
}

extension DeviceHost {
    /// The device of the container whose factory is running.
    fileprivate static var building: DeviceHost? { Container.building.map { LateContainer($0).host.device } }
}

// MARK: Links

@available(*, deprecated, renamed: "DeepLinkRouter")
public typealias Deeplinker = DeepLinkRouter

extension DeepLinkRouter {
    @available(*, deprecated, message: "Route is at the top level")
    public typealias Route = GlassDeepLinking.Route
}

extension DeepLinker {
    @available(*, deprecated, renamed: "register(routes:using:)")
    @_disfavoredOverload
    public func register(routes: [GlassDeepLinking.Route], file: StaticString = #fileID, line: UInt = #line) {
        register(routables: routes.map(\.routable), file: file, line: line)
    }
}

extension StandardRoutable {
    @available(*, deprecated, renamed: "init(container:configuration:)")
    @_disfavoredOverload
    public convenience init(container: Container, configaration: Configuration) {
        self.init(container: container, configuration: configaration)
    }

    @available(*, deprecated, renamed: "init(container:configuration:)")
    @_disfavoredOverload
    public convenience init(configuration: Configuration, container: Container) {
        self.init(container: container, configuration: configuration)
    }
}
