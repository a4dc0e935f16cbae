/// The data of a `register` call, apart from the type that its factory creates.
@usableFromInline
class Registration: @unchecked Sendable {  // constant; a factory by Factory's contract
    // The factory of a subclass need not be Sendable; code that registers one that isn't is responsible for where it's
    // called.

    let site: RegistrationSite
    /// The scope; nil for an override of a property, which has the property's scope.
    let scope: Scope?
    let requires: [ServiceID]?
    let isProvidingChild: Bool
    let isOverride: Bool
    /// The actor that the factory must run on, in debug builds.
    let isolation: FactoryIsolation?
    /// Whether this is a `TypedRegistration` whose factory needs only the container that holds it.
    @usableFromInline let isDirect: Bool
    /// Whether the scope is set by modifiers, and is `unique` without them.
    var isFactoryStyle: Bool { scope == nil }

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
        // A factory that's isolated to an actor takes the slow path, which checks the actor.
        self.isDirect = isDirect && self.isolation == nil
    }

    /// Resolves the registered type, for callers that don't know it.
    func resolve(from container: Container, name: String?) throws(ContainerError) -> Any {
        throw .misuse("a property can only be read from its container")
    }
}

/// The data of a `register` call whose factory takes the container, or nothing.
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
            guard let holder else { preconditionFailure("A registration by type must be held by a Container.") }
            return try factory(isProvidingChild ? Container(parent: holder) : holder)
        }
    }

    override func resolve(from container: Container, name: String?) throws(ContainerError) -> Any {
        try container.resolve(Service.self, name: name)
    }
}

/// A factory that takes the container, or nothing, stored as it was passed: a closure around another one costs an
/// additional copy, and an optional one is called through a closure that's created for the call.
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
