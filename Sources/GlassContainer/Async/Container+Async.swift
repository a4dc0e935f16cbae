extension Container {
    /// Registers how a service is made that takes time to make. It is made on first use, once, and kept.
    ///
    /// Read it with `await resolve(…)`. Once it was made, `get` finds it too; before, `get` stops and `require` throws
    /// `ContainerError.asynchronous`.
    /// - Parameters:
    ///   - type: the type that users ask for, usually a protocol.
    ///   - name: tells registrations of one type apart.
    ///   - requires: the types that the factory resolves, for `validate(requiring:)`; nil leaves them undeclared.
    ///   - file: where the registration stands, for messages.
    ///   - line: the line of the registration, for messages.
    ///   - factory: makes the service. It gets this container, also when a child asks.
    public func registerAsync<Service: Sendable>(
        _ type: Service.Type, name: String? = nil, requires: [Any.Type]? = nil, file: StaticString = #fileID,
        line: UInt = #line, _ factory: @escaping @Sendable (Container) async throws -> Service
    ) {
        let entry = store.entry(type: type, name: name)
        store.register(
            AsyncRegistration<Service>(
                site: RegistrationSite(file, line), requires: requires?.map { ServiceID($0) }
            ) { container in
                guard let container else { throw ContainerError.misuse("\(ServiceID(type)) needs its Container") }
                return try await factory(container)
            }, for: entry)
    }

    /// The service registered for a type, however it is made.
    ///
    /// - Parameters:
    ///   - type: the type it is registered for; inferred from what the result is assigned to.
    ///   - name: the name it is registered with.
    /// - Returns: the service.
    /// - Throws: what `require` throws, and `CancellationError` when the calling task is cancelled while it waits.
    public func resolve<Service: Sendable>(
        _ type: Service.Type = Service.self, name: String? = nil
    ) async throws -> Service {
        try prepare()
        guard let (holder, entry) = find(type, name: name), entry.current is AsyncRegistration<Service> else {
            return try require(type, name: name)
        }
        return try await holder.store.kept(entry) {
            guard let registration = entry.current as? AsyncRegistration<Service> else {
                throw holder.missing(entry.id)
            }
            return try await registration.make(holder)
        }
    }
}

/// One call of `register` whose factory takes time.
final class AsyncRegistration<Service: Sendable>: Registration, @unchecked Sendable {
    // As `Registration`; the factory is Sendable.

    let make: @Sendable (Container?) async throws -> Service

    init(
        site: RegistrationSite, requires: [ServiceID]? = nil, isOverride: Bool = false,
        make: @escaping @Sendable (Container?) async throws -> Service
    ) {
        self.make = make
        super.init(site: site, scope: .cached, requires: requires, isOverride: isOverride)
    }

    override var isAsynchronous: Bool { true }
}
