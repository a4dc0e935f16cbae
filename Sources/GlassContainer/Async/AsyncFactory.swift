/// How a service is made that takes time to make, or whose making may fail, declared as a property of a container.
///
/// ```swift
/// extension Container {
///     var database: AsyncFactory<Database> { asynchronous { try await Database.open() } }
/// }
/// let database = try await container.database()
/// ```
///
/// The instance is kept by the container. However many tasks ask at once, one of them makes it, in its own task, and the
/// others wait. If making it fails, all of those get the error and the next call tries again; if the task that makes it is
/// cancelled, one of the others goes on in its place. A task that is cancelled while it waits stops waiting.
public struct AsyncFactory<T: Sendable>: Sendable {
    let container: any ManagedContainer
    let key: StaticString
    let site: RegistrationSite
    let factory: @Sendable () async throws -> T

    /// The service.
    ///
    /// - Returns: the service.
    /// - Throws: `ContainerError.failed` with the error that the factory threw, `cyclic` or `reentrant` when the service
    ///   needs itself, `CancellationError` when the calling task is cancelled while it waits.
    public func callAsFunction() async throws -> T {
        try await resolve()
    }

    /// The service.
    ///
    /// - Returns: the service.
    /// - Throws: as `callAsFunction()`.
    public func resolve() async throws -> T {
        let store = container.manager.store
        try store.prepare(container)
        return try await store.kept(entry) {
            guard let registration = entry.current else { return try await factory() }
            return try await unsafeDowncast(registration, to: AsyncRegistration<T>.self).make(nil)
        }
    }

    /// Makes the service another way from now on, in this container, and drops the kept instance.
    ///
    /// - Parameters:
    ///   - file: where the override stands, for messages.
    ///   - line: the line of the override, for messages.
    ///   - factory: makes the service instead.
    /// - Returns: the factory, to go on with.
    @discardableResult
    public func register(
        file: StaticString = #fileID, line: UInt = #line, factory: @escaping @Sendable () async throws -> T
    ) -> Self {
        container.manager.store.register(
            AsyncRegistration<T>(site: RegistrationSite(file, line), isOverride: true) { _ in try await factory() },
            for: entry)
        return self
    }

    /// Brings this service back to its original state in this container, or a part of it.
    ///
    /// - Parameter options: what to reset.
    /// - Returns: the factory, to go on with.
    @discardableResult
    public func reset(_ options: FactoryResetOptions = .all) -> Self {
        container.manager.store.reset(entry, options)
        return self
    }

    private var entry: Entry {
        container.manager.store.entry(type: T.self, keyType: Self.self, property: key, site: site)
    }
}

extension ManagedContainer {
    /// Declares a service that takes time to make: `var database: AsyncFactory<Database> { asynchronous { … } }`.
    ///
    /// - Parameters:
    ///   - key: the property's name, which the compiler fills in.
    ///   - file: where the property stands, for messages.
    ///   - line: the line of the property, for messages.
    ///   - factory: makes the service.
    /// - Returns: the factory.
    public func asynchronous<T: Sendable>(
        key: StaticString = #function, file: StaticString = #fileID, line: UInt = #line,
        _ factory: @escaping @Sendable () async throws -> T
    ) -> AsyncFactory<T> {
        AsyncFactory(container: self, key: key, site: RegistrationSite(file, line), factory: factory)
    }
}
