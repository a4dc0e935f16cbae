/// One call of `register`: everything but the type of what the factory makes.
@usableFromInline
class Registration: @unchecked Sendable {
    // No proof for subclasses, but Factory's contract: a factory need not be Sendable, and whoever registers one that is not
    // answers for where it is called. What stands here is constant.

    let site: RegistrationSite
    /// nil for an override of a property, whose scope is the property's.
    let scope: Scope?
    let requires: [ServiceID]?
    let isProvidingChild: Bool
    let isOverride: Bool
    /// Whether modifiers decide on the scope, and it is `unique` if they do not.
    var isFactoryStyle: Bool { scope == nil }

    /// Whether the factory can only be awaited.
    var isAsynchronous: Bool { false }

    init(
        site: RegistrationSite, scope: Scope?, requires: [ServiceID]? = nil, isProvidingChild: Bool = false,
        isOverride: Bool = false
    ) {
        self.site = site
        self.scope = scope
        self.requires = requires
        self.isProvidingChild = isProvidingChild
        self.isOverride = isOverride
    }

    /// Resolves the type that was registered, for those who do not know it.
    func resolve(from container: Container, name: String?) throws(ContainerError) -> Any {
        throw .misuse("a property is read through its container")
    }
}

/// One call of `register` whose factory takes the container, or nothing.
@usableFromInline
final class TypedRegistration<Service>: Registration, @unchecked Sendable {
    // As `Registration`: constant, but for what the factories themselves touch.

    /// The factory, if it takes the container.
    private let factory: ((Container) throws -> Service)?
    /// The factory that `make` would run, if that needs nothing but the container at hand.
    @usableFromInline let direct: DirectFactory<Service>?

    init(
        site: RegistrationSite, scope: Scope?, requires: [ServiceID]? = nil, isProvidingChild: Bool = false,
        isOverride: Bool = false, factory: @escaping (Container) throws -> Service
    ) {
        self.factory = factory
        direct = isProvidingChild ? nil : DirectFactory(factory)
        super.init(
            site: site, scope: scope, requires: requires, isProvidingChild: isProvidingChild, isOverride: isOverride)
    }

    init(
        site: RegistrationSite, scope: Scope?, requires: [ServiceID]? = nil, isOverride: Bool = false,
        plain: @escaping () throws -> Service
    ) {
        factory = nil
        direct = DirectFactory(plain)
        super.init(site: site, scope: scope, requires: requires, isOverride: isOverride)
    }

    /// Runs the factory for the container that holds the registration.
    func make(for holder: Container?) throws -> Service {
        if let plain = direct?.plain { return try plain() }
        guard let factory, let holder else { preconditionFailure("A registration by type is held by a Container.") }
        return try factory(isProvidingChild ? Container(parent: holder) : holder)
    }

    override func resolve(from container: Container, name: String?) throws(ContainerError) -> Any {
        try container.resolve(Service.self, name: name)
    }
}

/// A factory that takes the container, or nothing, each as it was given: a closure around another costs a copy more.
@usableFromInline
struct DirectFactory<Service> {
    @usableFromInline let plain: (() throws -> Service)?
    @usableFromInline let taking: ((Container) throws -> Service)?

    init(_ plain: @escaping () throws -> Service) {
        self.plain = plain
        taking = nil
    }

    init(_ taking: @escaping (Container) throws -> Service) {
        plain = nil
        self.taking = taking
    }

    @inlinable
    @inline(__always)
    func callAsFunction(_ container: Container) throws -> Service {
        if let plain { return try plain() }
        // One of them is there.
        return try taking.unsafelyUnwrapped(container)
    }
}

/// An override of a property whose factory takes parameters.
final class ParameterRegistration<Parameters, Service>: Registration, @unchecked Sendable {
    // As `Registration`: constant, but for what the factory itself touches.

    let factory: (Parameters) -> Service

    init(site: RegistrationSite, factory: @escaping (Parameters) -> Service) {
        self.factory = factory
        super.init(site: site, scope: nil, isOverride: true)
    }
}
