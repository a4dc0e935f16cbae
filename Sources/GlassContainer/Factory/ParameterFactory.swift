/// What makes a service from parameters.
public typealias ParameterFactoryType<P, T> = (P) -> T

/// How a service is made from parameters.
///
/// ```swift
/// extension Container {
///     var account: ParameterFactory<Int, Account> { self { Account(id: $0) }.scopeOnParameters.cached }
/// }
/// let first = container.account(1)
/// ```
///
/// Without `scopeOnParameters`, a kept instance is the one for the parameters that came first. Parameters are told apart
/// by `==`. A tuple takes several of them.
public struct ParameterFactory<P, T>: FactoryModifying {
    /// The key and the container.
    public var registration: FactoryRegistration<P, T>
    @usableFromInline let factory: (P) -> T

    @inlinable
    @inline(__always)
    init(registration: FactoryRegistration<P, T>, factory: @escaping (P) -> T) {
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
        line: UInt = #line, isolation: (any Actor)? = #isolation, _ factory: @escaping (P) -> T
    ) {
        self.init(
            registration: FactoryRegistration(
                container, container.manager.cell(T.self, Self.self, key, file, line, isolation)), factory: factory)
    }

    /// The service. What cannot be made stops the program.
    ///
    /// - Parameter parameters: What to make it from.
    /// - Returns: The service.
    public func callAsFunction(_ parameters: P) -> T {
        resolve(parameters)
    }

    /// The service. What cannot be made stops the program.
    ///
    /// - Parameter parameters: What to make it from.
    /// - Returns: The service.
    public func resolve(_ parameters: P) -> T {
        // The container keeps the cell.
        defer { extendLifetime(self) }
        if let service = registration.cell.cachedValue(as: T.self) { return service }
        do throws(ContainerError) {
            return try resolveOrThrow(parameters)
        } catch {
            error.stop()
        }
    }

    private func resolveOrThrow(_ parameters: P) throws(ContainerError) -> T {
        let container = registration.container
        try registration.prepareOrThrow()
        let own = registration.entry
        let (holder, keeper) = registration.holder
        defer { extendLifetime(keeper) }
        return try own.store.resolve(
            own, holder: holder, owner: "\(type(of: container))", parameter: parameters as? AnyHashable,
            overruled: registration.overruled
        ) {
            guard let registration = holder.current else {
                own.isolation?.check(own.definition)
                return factory(parameters)
            }
            // Where `P` is `Void`, a context registers a factory without parameters.
            if let plain = registration as? TypedRegistration<T> { return try plain.make(for: nil) }
            return try unsafeDowncast(registration, to: ParameterRegistration<P, T>.self).make(parameters)
        }
    }

    /// Makes the service another way from now on, in this container, and drops the kept instances.
    ///
    /// - Parameters:
    ///   - file: Where the override stands, for messages.
    ///   - line: The line of the override, for messages.
    ///   - factory: Makes the service instead.
    /// - Returns: The factory, to go on with.
    @discardableResult
    public func register(
        file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) (P) -> T
    ) -> Self {
        registration.register(ParameterRegistration(site: RegistrationSite(file, line), factory: factory))
        return self
    }

    /// Makes the service another way from now on, as `register` does: `container.user { Mock(id: $0) }`.
    ///
    /// - Parameters:
    ///   - file: Where the override stands, for messages.
    ///   - line: The line of the override, for messages.
    ///   - factory: Makes the service instead.
    /// - Returns: The factory, to go on with.
    @discardableResult
    public func callAsFunction(
        file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) (P) -> T
    ) -> Self {
        register(file: file, line: line, factory: factory)
    }

    /// The service, resolved on the main actor.
    ///
    /// - Parameter parameters: What to make it from.
    /// - Returns: The service.
    @MainActor
    public func resolveOnMainActor(_ parameters: P) -> T {
        resolve(parameters)
    }

    /// The service, resolved on an actor, for factories that are isolated to it.
    ///
    /// - Parameters:
    ///   - actor: The actor, usually the `shared` one of a global actor.
    ///   - parameters: What to make it from.
    /// - Returns: The service.
    public func resolveOnGlobalActor(_ actor: isolated some Actor, parameters: P) -> T {
        resolve(parameters)
    }
}

extension ParameterFactory: @unchecked Sendable where P: Sendable, T: Sendable {  // by Factory's contract, not by proof
    // No proof, but Factory's contract, as with `Factory`.
}
