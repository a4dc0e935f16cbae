/// A function that creates a service without parameters.
public typealias VoidFactoryType<T> = () -> T

/// A factory that creates a service. It's declared as a property of a container and called to get the service.
///
/// ```swift
/// extension Container {
///     var clock: Factory<any Clock> { self { SystemClock() } }
///     var session: Factory<Session> { self { Session(clock: self.clock()) }.cached }
/// }
/// let session = container.session()
/// ```
///
/// A property belongs to the container that it's read from, and so does its cached instance. An override that's
/// registered in a parent also applies in the parent's children. Two properties with the same name and type are the
/// same service.
public struct Factory<T>: FactoryModifying {
    /// The key and the container.
    public var registration: FactoryRegistration<Void, T>
    /// Creates the service of a property; never called for a registration by type.
    @usableFromInline let factory: () -> T

    @inlinable
    @inline(__always)
    init(registration: FactoryRegistration<Void, T>, factory: @escaping () -> T) {
        self.registration = registration
        self.factory = factory
    }

    /// Declares a service of a container; calling the container is the shorter form.
    ///
    /// - Parameters:
    ///   - container: The container.
    ///   - key: The property's name, which the compiler fills in.
    ///   - file: The file of the property, for messages.
    ///   - line: The line of the property, for messages.
    ///   - isolation: The actor that the property is isolated to, which the compiler fills in.
    ///   - factory: A closure that creates the service.
    public init(
        _ container: any ManagedContainer, key: StaticString = #function, file: StaticString = #fileID,
        line: UInt = #line, isolation: (any Actor)? = #isolation, _ factory: @escaping () -> T
    ) {
        self.init(
            registration: FactoryRegistration(
                container, container.manager.cell(T.self, T.self, key, file, line, isolation)), factory: factory)
    }

    /// Returns the service. Traps if it can't be created, as `Container.get` does.
    ///
    /// If the service is already cached, this method doesn't wait for a build and doesn't allocate.
    /// - Returns: The service.
    @inlinable
    @inline(__always)
    public func callAsFunction() -> T {
        resolve()
    }

    /// Returns the service. Traps if it can't be created, as `Container.get` does.
    ///
    /// - Returns: The service.
    @inlinable
    @inline(__always)
    public func resolve() -> T {
        let cell = registration.cell
        // The container owns the memory that the cell is in, so it must not be released before the read ends.
        defer { extendLifetime(self) }
        // Nothing is cached in this mode, so there's no instance to look for.
        if cell.isDefinition { return Self.make(cell, factory) }
        if let service = cell.cachedValue(as: T.self) { return service }
        return resolveSlowly()
    }

    @inlinable
    @inline(__always)
    static func make(_ cell: UnsafeMutablePointer<Cell>, _ factory: () -> T) -> T {
        var frame = Frame(cell)
        return withUnsafeMutablePointer(to: &frame) { frame in
            let slot = ThreadFrames.push(frame)
            let service = factory()
            ThreadFrames.pop(frame, slot)
            return service
        }
    }

    @usableFromInline
    func resolveSlowly() -> T {
        do throws(ContainerError) {
            return try resolveOrThrow()
        } catch {
            error.stop()
        }
    }

    /// Returns the service of a type, or nil if another thread has removed its registration in the meantime.
    func resolveIfRegistered() -> T? {
        // The container owns the memory that the cell is in, so it must not be released before the read ends.
        defer { extendLifetime(self) }
        if let service = registration.cell.cachedValue(as: T.self) { return service }
        do throws(ContainerError) {
            return try resolveOrThrow { throw ContainerError.missing(path: ThreadSlot.path, nearest: []) }
        } catch {
            let own = ThreadSlot.path + [ResolutionStep(id: registration.entry.id, site: nil)]
            guard case .missing(let path, _) = error, path.map(\.id) == own.map(\.id) else { error.stop() }
            return nil
        }
    }

    func resolveOrThrow(_ definition: (() throws -> T)? = nil) throws(ContainerError) -> T {
        let container = registration.container
        try registration.prepareOrThrow()
        let own = registration.entry
        if registration.isByType {
            guard let container = registration.ownContainer else {
                throw .misuse("\(own.id) is resolved by type, which requires a Container")
            }
            return try container.resolve(T.self, name: own.id.name)
        }
        let (holder, keeper) = registration.holder
        defer { extendLifetime(keeper) }
        let ownContainer = registration.ownContainer
        return try own.store.resolve(
            own, holder: holder, owner: "\(type(of: container))", overruled: registration.overruled
        ) {
            // Read here rather than before the wait, because the service may be registered again in the meantime.
            guard let registration = holder.current else {
                own.isolation?.check(own.definition)
                return try (definition ?? factory)()
            }
            // Safe, because the type is part of the entry's key.
            return try unsafeDowncast(registration, to: TypedRegistration<T>.self).make(for: ownContainer)
        }
    }

    /// Replaces the factory in this container and discards the cached instance.
    ///
    /// - Parameters:
    ///   - file: The file of the override, for messages.
    ///   - line: The line of the override, for messages.
    ///   - factory: A closure that creates the service instead.
    /// - Returns: The factory, for further calls.
    @discardableResult
    public func register(
        file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) () -> T
    ) -> Self {
        registration.register(
            TypedRegistration(
                site: RegistrationSite(file, line), scope: registration.isByType ? scope : nil, isOverride: true,
                isolation: factory.isolation, factory: .plain(PlainVoidFactory(factory).factory))
                as TypedRegistration<T>)
        return self
    }

    /// Replaces the factory, as `register` does: `container.clock { FixedClock() }`.
    ///
    /// - Parameters:
    ///   - file: The file of the override, for messages.
    ///   - line: The line of the override, for messages.
    ///   - factory: A closure that creates the service instead.
    /// - Returns: The factory, for further calls.
    @discardableResult
    public func callAsFunction(
        file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) () -> T
    ) -> Self {
        register(file: file, line: line, factory: factory)
    }

    /// The lifetime of an instance; for `registered()`, the registration's scope, or `cached` if there is none.
    public var scope: Scope {
        let store = registration.store
        guard registration.isByType else {
            return store.read { registration.entry.scope(default: store.defaultScope) }
        }
        let id = registration.entry.id
        guard let container = registration.ownContainer,
            let (holder, entry) = container.find(id.type, name: id.name)
        else { return .cached }
        return holder.store.read { entry.scope(default: holder.store.defaultScope) }
    }

    /// Returns the service, resolved on the main actor.
    ///
    /// - Returns: The service.
    @MainActor
    public func resolveOnMainActor() -> T {
        resolve()
    }

    /// Returns the service, resolved on an actor, for factories that are isolated to it.
    ///
    /// - Parameter actor: The actor, usually the `shared` one of a global actor.
    /// - Returns: The service.
    public func resolveOnGlobalActor(_ actor: isolated some Actor) -> T {
        resolve()
    }
}

extension Factory: @unchecked Sendable where T: Sendable {  // by Factory's contract, not by proof
    // Not proven: by Factory's contract, the closure need not be Sendable, so that a container can declare services
    // that are isolated to an actor. Its author is responsible for where it's called. Everything else here is Sendable.
}

extension Container {
    /// Declares a property that reads the registration of a type: `var clock: Factory<any Clock> { registered() }`.
    ///
    /// Both styles then use the same instance, scope, and override.
    /// - Parameter name: The name of the registration.
    /// - Returns: A factory whose scope is the registration's.
    public func registered<Service>(name: String? = nil) -> Factory<Service> {
        var registration = FactoryRegistration<Void, Service>(self, store.entry(type: Service.self, name: name).cell)
        registration.isByType = true
        return Factory(registration: registration) { preconditionFailure("A type's factory is in its registration.") }
    }
}

extension Entry {
    /// The registration that creates an instance now; nil if the definition does.
    var current: Registration? {
        store.read { state.options.current ?? state.registration }
    }
}
