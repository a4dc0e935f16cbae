/// What makes a service from nothing.
public typealias VoidFactoryType<T> = () -> T

/// How a service is made, declared as a property of a container and called to get the service.
///
/// ```swift
/// extension Container {
///     var clock: Factory<any Clock> { self { SystemClock() } }
///     var session: Factory<Session> { self { Session(clock: self.clock()) }.cached }
/// }
/// let session = container.session()
/// ```
///
/// A property belongs to the container it is read from, and its kept instance to that container; what a parent registered
/// over it holds in its children too. Two properties of the same name and type are the same service.
public struct Factory<T>: FactoryModifying {
    /// The key and the container.
    public var registration: FactoryRegistration<Void, T>
    /// Makes the service of a property; never called for a type's registration.
    @usableFromInline let factory: () -> T

    @inlinable
    @inline(__always)
    init(registration: FactoryRegistration<Void, T>, factory: @escaping () -> T) {
        self.registration = registration
        self.factory = factory
    }

    /// Declares a service of a container; the container's `callAsFunction` says the same in fewer words.
    ///
    /// - Parameters:
    ///   - container: The container.
    ///   - key: The property's name, which the compiler fills in.
    ///   - file: Where the property stands, for messages.
    ///   - line: The line of the property, for messages.
    ///   - isolation: The actor that the property belongs to, which the compiler fills in.
    ///   - factory: Makes the service.
    public init(
        _ container: any ManagedContainer, key: StaticString = #function, file: StaticString = #fileID,
        line: UInt = #line, isolation: (any Actor)? = #isolation, _ factory: @escaping () -> T
    ) {
        self.init(
            registration: FactoryRegistration(
                container, container.manager.cell(T.self, T.self, key, file, line, isolation)), factory: factory)
    }

    /// The service. What cannot be made stops the program, as with `Container.get`.
    ///
    /// Waits for no build and allocates nothing when the service is kept already.
    /// - Returns: The service.
    @inlinable
    @inline(__always)
    public func callAsFunction() -> T {
        resolve()
    }

    /// The service. What cannot be made stops the program, as with `Container.get`.
    ///
    /// - Returns: The service.
    @inlinable
    @inline(__always)
    public func resolve() -> T {
        let cell = registration.cell
        // The container keeps the cell.
        defer { extendLifetime(self) }
        // Nothing is kept in this mode, so there is nothing to look for.
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

    /// The service of a type, or nil if another thread took its registration away meanwhile.
    func resolveIfRegistered() -> T? {
        // The container keeps the cell.
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
                throw .misuse("\(own.id) is read by type, which needs a Container")
            }
            return try container.resolve(T.self, name: own.id.name)
        }
        let (holder, keeper) = registration.holder
        defer { extendLifetime(keeper) }
        let ownContainer = registration.ownContainer
        return try own.store.resolve(
            own, holder: holder, owner: "\(type(of: container))", overruled: registration.overruled
        ) {
            // Another registration may come while this one waits its turn; the one in force is run.
            guard let registration = holder.current else {
                own.isolation?.check(own.definition)
                return try (definition ?? factory)()
            }
            // A type may have been registered with `registerAsync` meanwhile.
            if registration.isAsynchronous { throw ContainerError.asynchronous(path: ThreadSlot.path) }
            return try unsafeDowncast(registration, to: TypedRegistration<T>.self).make(for: ownContainer)
        }
    }

    /// Makes the service another way from now on, in this container, and drops the kept instance.
    ///
    /// - Parameters:
    ///   - file: Where the override stands, for messages.
    ///   - line: The line of the override, for messages.
    ///   - factory: Makes the service instead.
    /// - Returns: The factory, to go on with.
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

    /// Makes the service another way from now on, as `register` does: `container.clock { FixedClock() }`.
    ///
    /// - Parameters:
    ///   - file: Where the override stands, for messages.
    ///   - line: The line of the override, for messages.
    ///   - factory: Makes the service instead.
    /// - Returns: The factory, to go on with.
    @discardableResult
    public func callAsFunction(
        file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) () -> T
    ) -> Self {
        register(file: file, line: line, factory: factory)
    }

    /// How long an instance lives; for `registered()` what the registration says, `cached` if there is none.
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

    /// The service, resolved on the main actor.
    ///
    /// - Returns: The service.
    @MainActor
    public func resolveOnMainActor() -> T {
        resolve()
    }

    /// The service, resolved on an actor, for factories that are isolated to it.
    ///
    /// - Parameter actor: The actor, usually the `shared` one of a global actor.
    /// - Returns: The service.
    public func resolveOnGlobalActor(_ actor: isolated some Actor) -> T {
        resolve()
    }
}

extension Factory: @unchecked Sendable where T: Sendable {  // by Factory's contract, not by proof
    // No proof, but Factory's contract: the closure need not be Sendable, so that a container may declare what belongs to
    // one actor. Whoever writes it answers for where it is called. All else here is Sendable.
}

extension Container {
    /// Declares a property that reads a type's registration: `var clock: Factory<any Clock> { registered() }`.
    ///
    /// Both styles then see one instance, one scope and one override.
    /// - Parameter name: The name of the registration.
    /// - Returns: A factory whose scope is the registration's.
    public func registered<Service>(name: String? = nil) -> Factory<Service> {
        var registration = FactoryRegistration<Void, Service>(self, store.entry(type: Service.self, name: name).cell)
        registration.isByType = true
        return Factory(registration: registration) { preconditionFailure("A type's factory is its registration's.") }
    }
}

extension Entry {
    /// What makes an instance now, other than the definition.
    var current: Registration? {
        store.read { state.options.current ?? state.registration }
    }
}
