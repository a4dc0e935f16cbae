/// A container, which has a manager for its registrations and cached instances.
public protocol ManagedContainer: AnyObject, Sendable {
    /// The manager of this container's registrations and cached instances.
    var manager: ContainerManager { get }
}

/// A container type with a shared instance for property wrappers and for code that isn't passed a container.
///
/// ```swift
/// final class PaymentContainer: SharedContainer {
///     @TaskLocal static var shared = PaymentContainer()
///     let manager = ContainerManager()
/// }
/// ```
public protocol SharedContainer: ManagedContainer {
    /// The shared instance: a `let`, or `@TaskLocal` so that tests can bind their own.
    static var shared: Self { get }
}

/// A container that registers services before its first use.
///
/// `autoRegister()` is called once for each container without a parent, before the first resolution or registration,
/// and again after the registrations are reset. Registrations that it makes don't discard singletons. Other threads
/// wait until it returns.
public protocol AutoRegistering {
    /// Registers the services that the container starts with.
    func autoRegister()
}

extension ManagedContainer {
    /// Declares a service as a property: `var clock: Factory<any Clock> { self { SystemClock() } }`.
    ///
    /// - Parameters:
    ///   - key: The property's name, which the compiler fills in.
    ///   - file: The file of the property, for messages.
    ///   - line: The line of the property, for messages.
    ///   - isolation: The actor that the property is isolated to, which the compiler fills in.
    ///   - factory: A closure that creates the service.
    /// - Returns: The factory. Its scope is `unique` unless a modifier or the manager's default scope changes it.
    @inlinable
    @inline(__always)
    public func callAsFunction<T>(
        key: StaticString = #function, file: StaticString = #fileID, line: UInt = #line,
        isolation: (any Actor)? = #isolation, _ factory: @escaping () -> T
    ) -> Factory<T> {
        Factory(
            registration: FactoryRegistration(self, manager.cell(T.self, T.self, key, file, line, isolation)),
            factory: factory)
    }

    /// Declares a service that's created from parameters:
    /// `var user: ParameterFactory<Int, User> { self { User(id: $0) } }`.
    ///
    /// - Parameters:
    ///   - key: The property's name, which the compiler fills in.
    ///   - file: The file of the property, for messages.
    ///   - line: The line of the property, for messages.
    ///   - isolation: The actor that the property is isolated to, which the compiler fills in.
    ///   - factory: A closure that creates the service.
    /// - Returns: The factory.
    @inlinable
    @inline(__always)
    public func callAsFunction<P, T>(
        key: StaticString = #function, file: StaticString = #fileID, line: UInt = #line,
        isolation: (any Actor)? = #isolation, _ factory: @escaping (P) -> T
    ) -> ParameterFactory<P, T> {
        ParameterFactory(
            registration: FactoryRegistration(
                self, manager.cell(T.self, ParameterFactory<P, T>.self, key, file, line, isolation)), factory: factory)
    }

    /// Declares a service that another module promises to register: `var loader: Factory<Loader?> { promised() }`.
    ///
    /// If no module registers it, reading it traps if `ContainerManager.promiseTriggersError` is true, and returns nil
    /// otherwise.
    /// - Parameters:
    ///   - key: The property's name, which the compiler fills in.
    ///   - file: The file of the property, for messages.
    ///   - line: The line of the property, for messages.
    /// - Returns: A factory of an optional.
    public func promised<T>(
        key: StaticString = #function, file: StaticString = #fileID, line: UInt = #line
    ) -> Factory<T?> {
        let manager = manager
        return self.callAsFunction(key: key, file: file, line: line) {
            manager.reportBrokenPromise(ServiceID(T.self, property: key.description), RegistrationSite(file, line))
        }
    }

    /// Declares a service with parameters that another module promises to register.
    ///
    /// If no module registers it, reading it traps if `ContainerManager.promiseTriggersError` is true, and returns nil
    /// otherwise.
    /// - Parameters:
    ///   - key: The property's name, which the compiler fills in.
    ///   - file: The file of the property, for messages.
    ///   - line: The line of the property, for messages.
    /// - Returns: A factory of an optional.
    public func promised<P, T>(
        key: StaticString = #function, file: StaticString = #fileID, line: UInt = #line
    ) -> ParameterFactory<P, T?> {
        let manager = manager
        return self.callAsFunction(key: key, file: file, line: line) { (_: P) -> T? in
            manager.reportBrokenPromise(ServiceID(T.self, property: key.description), RegistrationSite(file, line))
        }
    }

    /// Sets a decorator that's called for everything this container resolves, after the decorator of the factory
    /// itself.
    ///
    /// - Parameter decorator: A closure that's called with each instance, new or cached, on the thread that resolves it
    ///   and without a lock. Several threads may call it at the same time, so what it accesses must be safe for that,
    ///   as with a factory. Pass nil to remove it.
    public func decorator(_ decorator: ((Any) -> Void)?) {
        manager.store.update { _ in
            manager.store.observation.decorator = decorator
            manager.store.refreshAll()
        }
    }

    /// Resets the container, or a part of it, to its original state.
    ///
    /// An instance that was already resolved lives as long as something holds it. Parents and singletons aren't
    /// affected. The result of a build in progress is returned to the callers that wait for it, but isn't cached.
    /// Complexity: O(*n*) for *n* services.
    /// - Parameter options: What to reset.
    public func reset(options: FactoryResetOptions = .all) {
        manager.reset(options: options)
    }

    /// Configures the container immediately and returns it: `Container.shared { $0.clock.register { FixedClock() } }`.
    ///
    /// - Parameter transform: A closure that configures the container, before this method returns.
    /// - Returns: The container.
    @discardableResult
    public func callAsFunction(_ transform: (Self) -> Void) -> Self {
        transform(self)
        return self
    }

    /// Configures the container immediately, with a closure that's asynchronous or isolated to an actor, and returns
    /// it.
    ///
    /// - Parameter transform: A closure that configures the container, on its own actor if it has one, before this
    ///   method returns.
    /// - Returns: The container.
    @discardableResult
    public func callAsFunction(_ transform: @Sendable @isolated(any) (Self) async -> Void) async -> Self {
        await transform(self)
        return self
    }

    /// Configures the container and returns it; calling the container is the newer spelling.
    ///
    /// - Parameter transform: A closure that configures the container.
    /// - Returns: The container.
    @discardableResult
    public func with(_ transform: (Self) -> Void) -> Self {
        self(transform)
    }

    /// Configures the container and returns it; calling the container is the newer spelling.
    ///
    /// - Parameter transform: A closure that configures the container.
    /// - Returns: The container.
    @discardableResult
    public func with(_ transform: @Sendable @isolated(any) (Self) async -> Void) async -> Self {
        await self(transform)
    }
}

extension SharedContainer {
    /// Declares a service that's created on each resolution:
    /// `var clock: Factory<any Clock> { unique { SystemClock() } }`.
    ///
    /// Unlike a factory without a scope, it doesn't use the manager's default scope.
    /// - Parameters:
    ///   - key: The property's name, which the compiler fills in.
    ///   - file: The file of the property, for messages.
    ///   - line: The line of the property, for messages.
    ///   - isolation: The actor that the property is isolated to, which the compiler fills in.
    ///   - factory: A closure that creates the service.
    /// - Returns: The factory.
    public func unique<T>(
        key: StaticString = #function, file: StaticString = #fileID, line: UInt = #line,
        isolation: (any Actor)? = #isolation, _ factory: @escaping () -> T
    ) -> Factory<T> {
        self.callAsFunction(key: key, file: file, line: line, isolation: isolation, factory).unique
    }

    /// Declares a service that's created from parameters on each resolution.
    ///
    /// - Parameters:
    ///   - key: The property's name, which the compiler fills in.
    ///   - file: The file of the property, for messages.
    ///   - line: The line of the property, for messages.
    ///   - isolation: The actor that the property is isolated to, which the compiler fills in.
    ///   - factory: A closure that creates the service.
    /// - Returns: The factory.
    public func unique<P, T>(
        key: StaticString = #function, file: StaticString = #fileID, line: UInt = #line,
        isolation: (any Actor)? = #isolation, _ factory: @escaping (P) -> T
    ) -> ParameterFactory<P, T> {
        self.callAsFunction(key: key, file: file, line: line, isolation: isolation, factory).unique
    }
}
