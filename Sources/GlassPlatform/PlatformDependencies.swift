public import GlassContainer
public import GlassDeepLinking
import GlassMarkets
public import GlassSchema

/// Services that an app creates itself instead of using the platform's, each as a closure for its
/// protocol.
///
/// ```swift
/// var dependencies = PlatformDependencies()
/// dependencies[(any EnvironmentAPI).self] = { _ in FixedEnvironment() }
/// container.setupPlatformDependencies(with: config, overriding: dependencies)
/// ```
public struct PlatformDependencies: Sendable {
    /// Creates a service, resolving its dependencies from the container.
    public typealias Provider<Service> = @Sendable (Container) -> Service

    /// A closure for a service. Only the closures know its type.
    struct Override: Sendable {
        let provider: any Sendable
        let register: @Sendable (Container, _ isProvidingChild: Bool) -> Void
    }

    private(set) var overrides: [ObjectIdentifier: Override] = [:]

    /// Creates a set without services.
    public init() {}

    /// The closure for a service, by the protocol: `dependencies[(any StorageAPI).self] = { _ in storage }`.
    ///
    /// Setting a type that is not a service of `MarketModule.platform` traps, because its closure would never be used.
    ///
    /// - Parameter type: The protocol.
    /// - Returns: The closure, or `nil` if the platform creates the service.
    public subscript<Service: SendableMetatype>(_ type: Service.Type) -> Provider<Service>? {
        get { overrides[ObjectIdentifier(type)]?.provider as? Provider<Service> }
        set {
            guard PlatformCatalog.services.contains(where: { $0.type == type }) else {
                let advice = "pass the protocol, such as (any StorageAPI).self"
                fatalError("\(type) is not a service of the platform; \(advice)")  // a programming error
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
    /// Registers every service of the platform: the app's own, if provided, or else the platform's. Creates none of
    /// them.
    ///
    /// The dependencies of the app's closures are not declared, so `validate(requiring:)` reports those services as not
    /// checked.
    ///
    /// - Parameters:
    ///   - configuration: The market's configuration of the platform.
    ///   - dependencies: The services that the app creates itself.
    ///   - deepLinking: The market's configuration of links; `nil` for the schemes of the app's Info.plist. A program
    ///     without a bundle then accepts all schemes but those of other programs.
    ///   - host: The program's settings, which do not depend on the market. By default, services store data in the
    ///     system's standard location, in a folder with the name of the configuration's bundle identifier.
    /// - Returns: The findings for the configuration: ``PlatformConfig/findings()``. The services are registered in any
    ///   case; errors are logged.
    @discardableResult
    public func setupPlatformDependencies(
        with configuration: PlatformConfig, overriding dependencies: PlatformDependencies,
        deepLinking: DeepLinkConfiguration? = nil, host: PlatformHost = .standard
    ) -> [Finding] {
        registerPlatformSettings(configuration, deepLinking: deepLinking ?? .ofProgram, host: host)
        for service in PlatformCatalog.services where !register(service, of: dependencies) {
            service.register(in: self)
        }
        return configuration.loggedFindings()
    }

    /// Registers only the services that an app creates itself; `validate(requiring:)` reports what is missing. The
    /// exception is remote configuration: if the app creates all of its dependencies, the platform's service is
    /// registered, with all keys at their defaults.
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

    /// Connects an app's deep linker to the platform, unless the app has done so.
    fileprivate func setupOwn(_ deepLinker: any DeepLinker) {
        if deepLinker.trackingHandler == nil { setupDeepLinkerDependencies(deepLinker: deepLinker) }
    }

    private func register(_ service: Service, of dependencies: PlatformDependencies) -> Bool {
        guard let own = dependencies.overrides[ObjectIdentifier(service.type)] else { return false }
        own.register(self, service.usesChildContainer)
        return true
    }
}
