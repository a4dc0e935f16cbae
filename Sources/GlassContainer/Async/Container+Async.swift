extension Container {
    /// Registers how a service is made that takes time to make. Nothing is made before someone asks for it.
    ///
    /// ```swift
    /// container.registerAsync(Database.self) { _ in try await Database.open() }
    /// let database = try await container.resolveAsync(Database.self)
    /// ```
    ///
    /// Read it with `await resolveAsync(…)`. What is kept, `get` finds too; before, `get` stops and `require` throws
    /// `ContainerError.asynchronous`.
    /// - Parameters:
    ///   - type: The type that users ask for, usually a protocol.
    ///   - name: Tells registrations of one type apart.
    ///   - scope: How long an instance lives; by default this container keeps it.
    ///   - requires: The types that the factory resolves, for `validate(requiring:)`; nil leaves them undeclared.
    ///   - file: Where the registration stands, for messages.
    ///   - line: The line of the registration, for messages.
    ///   - factory: Makes the service. It gets this container, also when a child asks.
    public func registerAsync<Service: Sendable>(
        _ type: Service.Type, name: String? = nil, scope: Scope = .cached, requires: [Any.Type]? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ factory: @escaping @Sendable (Container) async throws -> Service
    ) {
        register(
            type, name,
            AsyncRegistration<Service>(
                site: RegistrationSite(file, line), scope: scope, requires: requires?.map { ServiceID($0) }
            ) { container in
                guard let container else { throw ContainerError.misuse("\(ServiceID(type)) needs its Container") }
                return try await factory(container)
            })
    }

    /// The service registered for a type, however it is made.
    ///
    /// - Parameters:
    ///   - type: The type it is registered for; inferred from what the result is assigned to.
    ///   - name: The name it is registered with.
    /// - Returns: The service.
    /// - Throws: What `require` throws, and `CancellationError` when the calling task is cancelled while it waits.
    public func resolveAsync<Service: Sendable>(
        _ type: Service.Type = Service.self, name: String? = nil
    ) async throws -> Service {
        if let service = cachedValue(type, name) { return service }
        try prepare()
        guard let (holder, entry) = find(type, name: name), entry.current?.isAsynchronous == true else {
            return try require(type, name: name)
        }
        let watching = try checkInherited(entry, of: holder)
        return try await holder.store.resolve(entry, holder: entry, owner: "Container", watching: watching) {
            // Another registration may come while this one waits its turn; the one in force is run.
            guard let registration = entry.current else { throw holder.missing(entry.id) }
            if registration.isAsynchronous {
                return try await unsafeDowncast(registration, to: AsyncRegistration<Service>.self).make(holder)
            }
            return try unsafeDowncast(registration, to: TypedRegistration<Service>.self).make(for: holder)
        }
    }
}

/// One call of `register` whose factory takes time.
final class AsyncRegistration<Service: Sendable>: Registration, @unchecked Sendable {  // all constant
    let make: @Sendable (Container?) async throws -> Service

    init(
        site: RegistrationSite, scope: Scope?, requires: [ServiceID]? = nil, isOverride: Bool = false,
        make: @escaping @Sendable (Container?) async throws -> Service
    ) {
        self.make = make
        super.init(site: site, scope: scope, requires: requires, isOverride: isOverride)
    }

    override var isAsynchronous: Bool { true }

    override func resolve(from container: Container, name: String?) throws(ContainerError) -> Any {
        try container.resolve(Service.self, name: name)
    }
}
