/// One call of `register`: everything but the type of what the factory makes.
@usableFromInline
class Registration: @unchecked Sendable {  // constant; a factory by Factory's contract
    // The factory of a subclass need not be Sendable, and whoever registers one that is not answers for where it is called.

    let site: RegistrationSite
    /// nil for an override of a property, whose scope is the property's.
    let scope: Scope?
    let requires: [ServiceID]?
    let isProvidingChild: Bool
    let isOverride: Bool
    /// Whether the factory may run only on one actor, in debug builds.
    let isolation: FactoryIsolation?
    /// Whether this is a `TypedRegistration` whose factory needs nothing but the container at hand.
    @usableFromInline let isDirect: Bool
    /// Whether modifiers decide on the scope, and it is `unique` if they do not.
    var isFactoryStyle: Bool { scope == nil }

    /// Whether the factory can only be awaited.
    var isAsynchronous: Bool { false }

    init(
        site: RegistrationSite, scope: Scope?, requires: [ServiceID]? = nil, isProvidingChild: Bool = false,
        isOverride: Bool = false, isolation: (any Actor)? = nil, isDirect: Bool = false
    ) {
        self.isolation = FactoryIsolation(isolation)

        self.site = site
        self.scope = scope
        self.requires = requires
        self.isProvidingChild = isProvidingChild
        self.isOverride = isOverride
        // What may run only on one actor is made the long way, which asks.
        self.isDirect = isDirect && self.isolation == nil
    }

    /// Resolves the type that was registered, for those who do not know it.
    func resolve(from container: Container, name: String?) throws(ContainerError) -> Any {
        throw .misuse("a property is read through its container")
    }
}

/// One call of `register` whose factory takes the container, or nothing.
@usableFromInline
final class TypedRegistration<Service>: Registration, @unchecked Sendable {  // as `Registration`
    @usableFromInline let factory: TypedFactory<Service>

    init(
        site: RegistrationSite, scope: Scope?, requires: [ServiceID]? = nil, isProvidingChild: Bool = false,
        isOverride: Bool = false, isolation: (any Actor)?, factory: TypedFactory<Service>
    ) {
        self.factory = factory
        super.init(
            site: site, scope: scope, requires: requires, isProvidingChild: isProvidingChild, isOverride: isOverride,
            isolation: isolation, isDirect: !isProvidingChild)
    }

    /// Runs the factory for the container that holds the registration.
    func make(for holder: Container?) throws -> Service {
        isolation?.check(site)
        switch factory {
        case .plain(let factory):
            return try factory()
        case .taking(let factory):
            guard let holder else { preconditionFailure("A registration by type is held by a Container.") }
            return try factory(isProvidingChild ? Container(parent: holder) : holder)
        }
    }

    override func resolve(from container: Container, name: String?) throws(ContainerError) -> Any {
        try container.resolve(Service.self, name: name)
    }
}

/// A factory that takes the container, or nothing, each as it was given: a closure around another costs a copy more, and an
/// optional one is called by way of a closure that is made for the call.
@usableFromInline
enum TypedFactory<Service> {
    case plain(() throws -> Service)
    case taking((Container) throws -> Service)

    @inlinable
    @inline(__always)
    func callAsFunction(_ container: Container) throws -> Service {
        switch self {
        case .plain(let factory): try factory()
        case .taking(let factory): try factory(container)
        }
    }
}

/// An override of a property whose factory takes parameters.
final class ParameterRegistration<Parameters, Service>: Registration, @unchecked Sendable {  // as `Registration`
    private let factory: (Parameters) throws -> Service

    init(site: RegistrationSite, factory: @escaping @isolated(any) (Parameters) -> Service) {
        self.factory = PlainFactory(factory).factory
        super.init(site: site, scope: nil, isOverride: true, isolation: factory.isolation)
    }

    func make(_ parameters: Parameters) throws -> Service {
        isolation?.check(site)
        return try factory(parameters)
    }
}
