/// A container: whatever has a manager for its registrations and instances.
public protocol ManagedContainer: AnyObject, Sendable {
    /// Keeps the registrations and instances of this container.
    var manager: ContainerManager { get }
}

/// A container type with an instance for code that is not handed one, which property wrappers read.
///
/// ```swift
/// final class PaymentContainer: SharedContainer {
///     @TaskLocal static var shared = PaymentContainer()
///     let manager = ContainerManager()
/// }
/// ```
public protocol SharedContainer: ManagedContainer {
    /// The instance for code that is not handed one: a `let`, or `@TaskLocal` so that tests can bind their own.
    static var shared: Self { get }
}

/// A container that registers something for itself before it is first used.
///
/// The function is called once for each container that has no parent, before the first resolution or registration, and
/// again after a reset of the registrations. What it registers drops no singleton. Other threads wait for it to end.
public protocol AutoRegistering {
    /// Registers what the container is to start with.
    func autoRegister()
}

extension ManagedContainer {
    /// Declares a service as a property: `var clock: Factory<any Clock> { self { SystemClock() } }`.
    ///
    /// - Parameters:
    ///   - key: The property's name, which the compiler fills in.
    ///   - file: Where the property stands, for messages.
    ///   - line: The line of the property, for messages.
    ///   - isolation: The actor that the property belongs to, which the compiler fills in.
    ///   - factory: Makes the service.
    /// - Returns: The factory, `unique` unless a modifier or the manager's default scope says otherwise.
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

    /// Declares a service that is made from parameters: `var user: ParameterFactory<Int, User> { self { User(id: $0) } }`.
    ///
    /// - Parameters:
    ///   - key: The property's name, which the compiler fills in.
    ///   - file: Where the property stands, for messages.
    ///   - line: The line of the property, for messages.
    ///   - isolation: The actor that the property belongs to, which the compiler fills in.
    ///   - factory: Makes the service.
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
    /// Where nobody does, reading it stops the program if `ContainerManager.promiseTriggersError`, and is nil otherwise.
    /// - Parameters:
    ///   - key: The property's name, which the compiler fills in.
    ///   - file: Where the property stands, for messages.
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
    /// Where nobody does, reading it stops the program if `ContainerManager.promiseTriggersError`, and is nil otherwise.
    /// - Parameters:
    ///   - key: The property's name, which the compiler fills in.
    ///   - file: Where the property stands, for messages.
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

    /// Watches everything that this container resolves, after the decorator of the factory itself.
    ///
    /// - Parameter decorator: Is called with each instance, new or kept, on the thread that resolves it and without a lock,
    ///   so by several threads at once where several resolve: what it touches has to be safe for that, as with a factory.
    ///   nil to stop watching.
    public func decorator(_ decorator: ((Any) -> Void)?) {
        manager.store.update { _ in
            manager.store.observation.decorator = decorator
            manager.store.refreshAll()
        }
    }

    /// Brings the container back to its original state, or a part of it.
    ///
    /// What was resolved before lives on with whoever holds it; parents and singletons stay. A build in progress serves
    /// those who wait for it, and is not kept. Complexity: O(*n*) for *n* services.
    /// - Parameter options: What to reset.
    public func reset(options: FactoryResetOptions = .all) {
        manager.reset(options: options)
    }

    /// Changes the container at once and returns it: `Container.shared { $0.clock.register { FixedClock() } }`.
    ///
    /// - Parameter transform: Changes the container, before this returns.
    /// - Returns: The container.
    @discardableResult
    public func callAsFunction(_ transform: (Self) -> Void) -> Self {
        transform(self)
        return self
    }

    /// Changes the container at once, with a function that waits or is isolated to an actor, and returns it.
    ///
    /// - Parameter transform: Changes the container, on its own actor if it has one, before this returns.
    /// - Returns: The container.
    @discardableResult
    public func callAsFunction(_ transform: @Sendable @isolated(any) (Self) async -> Void) async -> Self {
        await transform(self)
        return self
    }

    /// Changes the container and returns it; calling the container is the newer spelling.
    ///
    /// - Parameter transform: Changes the container.
    /// - Returns: The container.
    @discardableResult
    public func with(_ transform: (Self) -> Void) -> Self {
        self(transform)
    }

    /// Changes the container and returns it; calling the container is the newer spelling.
    ///
    /// - Parameter transform: Changes the container.
    /// - Returns: The container.
    @discardableResult
    public func with(_ transform: @Sendable @isolated(any) (Self) async -> Void) async -> Self {
        await self(transform)
    }
}

extension SharedContainer {
    /// Declares a service that is made anew each time: `var clock: Factory<any Clock> { unique { SystemClock() } }`.
    ///
    /// Unlike a factory without a scope, it does not follow the manager's default scope.
    /// - Parameters:
    ///   - key: The property's name, which the compiler fills in.
    ///   - file: Where the property stands, for messages.
    ///   - line: The line of the property, for messages.
    ///   - isolation: The actor that the property belongs to, which the compiler fills in.
    ///   - factory: Makes the service.
    /// - Returns: The factory.
    public func unique<T>(
        key: StaticString = #function, file: StaticString = #fileID, line: UInt = #line,
        isolation: (any Actor)? = #isolation, _ factory: @escaping () -> T
    ) -> Factory<T> {
        self.callAsFunction(key: key, file: file, line: line, isolation: isolation, factory).unique
    }

    /// Declares a service that is made from parameters, anew each time.
    ///
    /// - Parameters:
    ///   - key: The property's name, which the compiler fills in.
    ///   - file: Where the property stands, for messages.
    ///   - line: The line of the property, for messages.
    ///   - isolation: The actor that the property belongs to, which the compiler fills in.
    ///   - factory: Makes the service.
    /// - Returns: The factory.
    public func unique<P, T>(
        key: StaticString = #function, file: StaticString = #fileID, line: UInt = #line,
        isolation: (any Actor)? = #isolation, _ factory: @escaping (P) -> T
    ) -> ParameterFactory<P, T> {
        self.callAsFunction(key: key, file: file, line: line, isolation: isolation, factory).unique
    }
}
