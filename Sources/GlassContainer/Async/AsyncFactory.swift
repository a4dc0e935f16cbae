/// How a service is made that takes time to make, or whose making may fail, declared as a property of a container.
///
/// ```swift
/// extension Container {
///     var database: AsyncFactory<Database> { asynchronous { try await Database.open() } }
///     var connection: AsyncFactory<Connection> { asynchronous { try await self.database().connect() }.unique }
/// }
/// let database = try await container.database()
/// ```
///
/// The instance is kept by the container unless a modifier says otherwise; all the modifiers of factories are there.
/// However many tasks ask at once, one of them makes a kept instance, in its own task, and the others wait. If making it
/// fails, all of those get the error and the next call tries again; if the task that makes it is cancelled, one of the
/// others goes on in its place. A task that is cancelled while it waits stops waiting.
public struct AsyncFactory<T: Sendable>: FactoryModifying, Sendable {
    /// The key and the container.
    public var registration: FactoryRegistration<Void, T>
    let factory: @Sendable () async throws -> T

    /// The service.
    ///
    /// - Returns: The service.
    /// - Throws: `ContainerError.failed` with the error that the factory threw, `cyclic` or `reentrant` when the service
    ///   needs itself, `CancellationError` when the calling task is cancelled while it waits.
    public func callAsFunction() async throws -> T {
        try await resolve()
    }

    /// The service.
    ///
    /// - Returns: The service.
    /// - Throws: As `callAsFunction()`.
    public func resolve() async throws -> T {
        // The container keeps the cell.
        defer { extendLifetime(self) }
        if let service = registration.cell.cachedValue(as: T.self) { return service }
        let container = registration.container
        try registration.prepareOrThrow()
        let own = registration.entry
        let (holder, keeper) = registration.holder
        defer { extendLifetime(keeper) }
        return try await own.store.resolve(own, holder: holder, owner: "\(type(of: container))") { [factory] in
            guard let registration = holder.current else { return try await factory() }
            if registration.isAsynchronous {
                return try await unsafeDowncast(registration, to: AsyncRegistration<T>.self).make(nil)
            }
            // A context's factory is synchronous.
            return try unsafeDowncast(registration, to: TypedRegistration<T>.self).make(for: nil)
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
        file: StaticString = #fileID, line: UInt = #line, factory: @escaping @Sendable () async throws -> T
    ) -> Self {
        registration.register(
            AsyncRegistration<T>(site: RegistrationSite(file, line), scope: nil, isOverride: true) { _ in
                try await factory()
            })
        return self
    }
}

/// What stands for a service in the key of a property that is awaited.
protocol AsynchronousKey {}

extension AsyncFactory: AsynchronousKey {}

extension ManagedContainer {
    /// Declares a service that takes time to make: `var database: AsyncFactory<Database> { asynchronous { … } }`.
    ///
    /// - Parameters:
    ///   - key: The property's name, which the compiler fills in.
    ///   - file: Where the property stands, for messages.
    ///   - line: The line of the property, for messages.
    ///   - factory: Makes the service.
    /// - Returns: The factory, `cached` unless a modifier says otherwise.
    public func asynchronous<T: Sendable>(
        key: StaticString = #function, file: StaticString = #fileID, line: UInt = #line,
        _ factory: @escaping @Sendable () async throws -> T
    ) -> AsyncFactory<T> {
        AsyncFactory(
            registration: FactoryRegistration(self, manager.cell(T.self, AsyncFactory<T>.self, key, file, line)),
            factory: factory)
    }
}
