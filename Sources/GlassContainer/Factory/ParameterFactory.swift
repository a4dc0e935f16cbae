/// A function that creates a service from parameters.
public typealias ParameterFactoryType<P, T> = (P) -> T

/// A factory that creates a service from parameters.
///
/// ```swift
/// extension Container {
///     var account: ParameterFactory<Int, Account> { self { Account(id: $0) }.scopeOnParameters.cached }
/// }
/// let first = container.account(1)
/// ```
///
/// Without `scopeOnParameters`, the cached instance is the one that was created from the first parameters. Parameters
/// are compared with `==`. To pass several parameters, use a tuple.
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
        line: UInt = #line, isolation: (any Actor)? = #isolation, _ factory: @escaping (P) -> T
    ) {
        self.init(
            registration: FactoryRegistration(
                container, container.manager.cell(T.self, Self.self, key, file, line, isolation)), factory: factory)
    }

    /// Returns the service. Traps if it can't be created.
    ///
    /// - Parameter parameters: The parameters to create it from.
    /// - Returns: The service.
    public func callAsFunction(_ parameters: P) -> T {
        resolve(parameters)
    }

    /// Returns the service. Traps if it can't be created.
    ///
    /// - Parameter parameters: The parameters to create it from.
    /// - Returns: The service.
    public func resolve(_ parameters: P) -> T {
        // The container owns the memory that the cell is in, so it must not be released before the read ends.
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
            // If `P` is `Void`, a context registers a factory without parameters.
            if let plain = registration as? TypedRegistration<T> { return try plain.make(for: nil) }
            // Safe, because both types are part of the entry's key.
            return try unsafeDowncast(registration, to: ParameterRegistration<P, T>.self).make(parameters)
        }
    }

    /// Replaces the factory in this container and discards the cached instances.
    ///
    /// - Parameters:
    ///   - file: The file of the override, for messages.
    ///   - line: The line of the override, for messages.
    ///   - factory: A closure that creates the service instead.
    /// - Returns: The factory, for further calls.
    @discardableResult
    public func register(
        file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) (P) -> T
    ) -> Self {
        registration.register(ParameterRegistration(site: RegistrationSite(file, line), factory: factory))
        return self
    }

    /// Replaces the factory, as `register` does: `container.user { Mock(id: $0) }`.
    ///
    /// - Parameters:
    ///   - file: The file of the override, for messages.
    ///   - line: The line of the override, for messages.
    ///   - factory: A closure that creates the service instead.
    /// - Returns: The factory, for further calls.
    @discardableResult
    public func callAsFunction(
        file: StaticString = #fileID, line: UInt = #line, factory: @escaping @isolated(any) (P) -> T
    ) -> Self {
        register(file: file, line: line, factory: factory)
    }

    /// Returns the service, resolved on the main actor.
    ///
    /// - Parameter parameters: The parameters to create it from.
    /// - Returns: The service.
    @MainActor
    public func resolveOnMainActor(_ parameters: P) -> T {
        resolve(parameters)
    }

    /// Returns the service, resolved on an actor, for factories that are isolated to it.
    ///
    /// - Parameters:
    ///   - actor: The actor, usually the `shared` one of a global actor.
    ///   - parameters: The parameters to create it from.
    /// - Returns: The service.
    public func resolveOnGlobalActor(_ actor: isolated some Actor, parameters: P) -> T {
        resolve(parameters)
    }
}

extension ParameterFactory: @unchecked Sendable where P: Sendable, T: Sendable {  // by Factory's contract, not by proof
    // Not proven: Factory's contract, as with `Factory`.
}
