public import GlassContainer
public import GlassDeepLinking
import GlassMarkets
public import GlassSchema

/// Services that an app makes itself, in place of the platform's own: any of the 33, each as a closure for its protocol.
///
/// ```swift
/// var dependencies = PlatformDependencies()
/// dependencies[(any EnvironmentAPI).self] = { _ in FixedEnvironment() }
/// container.setupPlatformDependencies(with: config, overriding: dependencies)
/// ```
public struct PlatformDependencies: Sendable {
    /// Makes a service, with what it takes from the container.
    public typealias Provider<Service> = @Sendable (Container) -> Service

    /// A closure for a service, with the type known to the closures only.
    struct Override: Sendable {
        let provider: any Sendable
        let register: @Sendable (Container, _ isProvidingChild: Bool) -> Void
    }

    private(set) var overrides: [ObjectIdentifier: Override] = [:]

    /// Starts without any.
    public init() {}

    /// The closure for a service, by the protocol: `dependencies[(any StorageAPI).self] = { _ in storage }`.
    ///
    /// Setting stops when the type is no service of `MarketModule.platform`: a closure for it would never be used.
    ///
    /// - Parameter type: The protocol.
    /// - Returns: The closure, or nil where the platform makes the service.
    public subscript<Service: SendableMetatype>(_ type: Service.Type) -> Provider<Service>? {
        get { overrides[ObjectIdentifier(type)]?.provider as? Provider<Service> }
        set {
            guard PlatformCatalog.services.contains(where: { $0.type == type }) else {
                let advice = "give the protocol, such as (any StorageAPI).self"
                fatalError("\(type) is no service of the platform; \(advice)")  // a mistake of the program's own
            }
            overrides[ObjectIdentifier(type)] = newValue.map { provider in
                Override(provider: provider) { container, isProvidingChild in
                    let make: Provider<Service> = { container in
                        let service = provider(container)
                        if let linker = service as? any DeepLinker { container.setupOwn(linker) }
                        return service
                    }
                    if isProvidingChild {
                        container.registerProvidingChild(type, make)
                    } else {
                        container.register(type, make)
                    }
                }
            }
        }
    }
}

extension Container {
    /// Registers every service of the platform: an app's own where it gives one, else the platform's. Makes none.
    ///
    /// What the app's closures take is not declared, so `validate(requiring:)` lists those services as not checked.
    ///
    /// - Parameters:
    ///   - configuration: What the market gives the platform.
    ///   - dependencies: The services that the app makes itself.
    ///   - deepLinking: What the market says about links.
    ///   - host: What the program decides, whatever the market.
    /// - Returns: What is wrong with the configuration: ``PlatformConfig/findings()``. The services are registered in any
    ///   case; errors are logged.
    @discardableResult
    public func setupPlatformDependencies(
        with configuration: PlatformConfig, overriding dependencies: PlatformDependencies,
        deepLinking: DeepLinkConfiguration = DeepLinkConfiguration(), host: PlatformHost = PlatformHost()
    ) -> [Finding] {
        registerPlatformSettings(configuration, deepLinking: deepLinking, host: host)
        for service in PlatformCatalog.services where !register(service, of: dependencies) {
            service.register(in: self)
        }
        return configuration.loggedFindings()
    }

    /// Registers the services that an app makes itself and no others; `validate(requiring:)` names what is missing. One is
    /// the platform's where the app makes all that it takes: remote configuration, over every default.
    ///
    /// - Parameter dependencies: The services.
    public func setupPlatformDependencies(dependencies: PlatformDependencies) {
        let remote = PlatformCatalog.remoteConfiguration(.alone)
        for service in PlatformCatalog.services where !register(service, of: dependencies) {
            guard service.type == remote.type else { continue }
            let isPossible = remote.requires.allSatisfy { dependencies.overrides[ObjectIdentifier($0)] != nil }
            if isPossible { remote.register(in: self) }
        }
    }

    /// Gives an app's deep linker what it takes from the platform, where the app has not done so.
    fileprivate func setupOwn(_ deepLinker: any DeepLinker) {
        if deepLinker.trackingHandler == nil { setupDeepLinkerDependencies(deepLinker: deepLinker) }
    }

    private func register(_ service: Service, of dependencies: PlatformDependencies) -> Bool {
        guard let own = dependencies.overrides[ObjectIdentifier(service.type)] else { return false }
        own.register(self, service.usesChildContainer)
        return true
    }
}
