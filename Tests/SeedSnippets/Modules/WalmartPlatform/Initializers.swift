// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations that seed 000 assumes; the library documents its own.
public import GlassContainer
public import GlassDeepLinking
public import GlassPlatform

// Seed 000 creates the platform's services from a container. Here their initializers take their dependencies, so these
// extensions look them up.

public typealias AnalyticsSession = GlassPlatform.AnalyticsSession

extension AnalyticsFeatureInfoProvider {
    public convenience init(container: Container) { self.init() }
}

extension QuimbyAuthProvider {
    public convenience init(container: Container) { self.init(storage: container.get(), host: PlatformHost()) }
}

extension QuimbyCartProvider {
    public convenience init(container: Container) { self.init(storage: container.get()) }
}

extension GlassUserAgent {
    public convenience init() { self.init(appInfo: AppInfoPlatformAPI(configuration: .usa)) }
}

extension UserDefaultsRegistrationPlatformAPI {
    public convenience init(configuration: Configuration, container: Container) {
        self.init(configuration: configuration)
    }
}

extension GlassPlatform.AnalyticsSession {
    public convenience init(container: Container) { self.init() }
}

extension EnvironmentPlatformAPI {
    public convenience init(container: Container, configurations: Configurations) {
        self.init(configurations: configurations)
    }
}

extension ErrorCoordinatorManager {
    public convenience init(container: Container) { self.init(tracking: container.get()) }
}

extension CookieStoragePlatformAPI {
    public convenience init(configuration: Configuration, container: Container) {
        self.init(configuration: configuration)
    }
}

extension URLSessionConfigurationPlatformAPI {
    public convenience init(container: Container, configuration: Configuration) {
        self.init(configuration: configuration, userAgent: container.get(), cookies: container.get())
    }
}

extension StartupPreferencePlatformAPI {
    public convenience init(container: Container) { self.init() }
}

extension Container {
    public func setupDeeplinkerDependancies(deeplinker: any DeepLinker) {
        setupDeepLinkerDependencies(deepLinker: deeplinker)
    }

    public func networkingProvider() -> any Networking {
        withNetworking.get()
    }

    public func mediaNetworkProvider() -> any MediaNetworking {
        withNetworking.get()
    }

    private var withNetworking: Container {
        let container = Container(parent: self)
        container.setupNetworking(setupTracking: false, configuration: .usa)
        return container
    }
}
