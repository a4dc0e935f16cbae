extension Container {
    /// Registers a factory for a service. The factory doesn't run until the service is first resolved.
    ///
    /// ```swift
    /// container.register((any Networking).self) { c in LiveNetworking(container: c) }
    /// container.register((any Networking).self, LiveNetworking.init)
    /// container.register((any Tracking).self) { $0.get((any Analytics).self) }
    /// ```
    ///
    /// With the scope `Scope.singleton`, the instance is cached by the singleton scope that's bound where the service
    /// is resolved. Registering a type again replaces the registration and discards the cached instance; `validate`
    /// reports it.
    ///
    /// A factory that's formed on an actor, such as the main actor, is isolated to it. If it uses the actor's state,
    /// creating the service elsewhere is a data race, so debug builds report that with the service and the position of
    /// its registration: in one line on standard error, or as an error in strict mode. A cached instance can be read
    /// anywhere, and the closure `{ @Sendable container in … }` isn't isolated to any actor.
    /// - Parameters:
    ///   - type: The type to resolve the service by, usually a protocol: `(any Networking).self`.
    ///   - name: A name that distinguishes registrations of the same type.
    ///   - scope: The lifetime of an instance. By default, this container caches it.
    ///   - requires: The types that the factory resolves, for `validate(requiring:)`, or nil to leave them undeclared.
    ///   - file: The file of the registration, for messages.
    ///   - line: The line of the registration, for messages.
    ///   - factory: A closure that creates the service. It's passed this container, even if a child requests the
    ///     service.
    public func register<Service>(
        _ type: Service.Type, name: String? = nil, scope: Scope = .cached, requires: [Any.Type]? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ factory: @escaping @isolated(any) (Container) throws -> Service
    ) {
        register(
            type, name,
            TypedRegistration(
                site: RegistrationSite(file, line), scope: scope, requires: requires?.map { ServiceID($0) },
                isolation: factory.isolation, factory: .taking(PlainFactory(factory).factory))
                as TypedRegistration<Service>)
    }

    /// Registers a factory that doesn't use the container.
    ///
    /// ```swift
    /// container.register((any Clock).self) { SystemClock() }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type to resolve the service by, usually a protocol.
    ///   - name: A name that distinguishes registrations of the same type.
    ///   - scope: The lifetime of an instance. By default, this container caches it.
    ///   - requires: The types that the factory resolves, for `validate(requiring:)`, or nil to leave them undeclared.
    ///   - file: The file of the registration, for messages.
    ///   - line: The line of the registration, for messages.
    ///   - factory: A closure that creates the service.
    @_disfavoredOverload
    public func register<Service>(
        _ type: Service.Type, name: String? = nil, scope: Scope = .cached, requires: [Any.Type]? = nil,
        file: StaticString = #fileID, line: UInt = #line, _ factory: @escaping @isolated(any) () throws -> Service
    ) {
        register(
            type, name,
            TypedRegistration(
                site: RegistrationSite(file, line), scope: scope, requires: requires?.map { ServiceID($0) },
                isolation: factory.isolation, factory: .plain(PlainVoidFactory(factory).factory))
                as TypedRegistration<Service>)
    }

    /// Registers a service whose factory is passed its own container: a new child of this one for each instance.
    ///
    /// Services that the factory registers in the child are private to the instance. The child also resolves everything
    /// that's registered in this container.
    /// - Parameters:
    ///   - type: The type to resolve the service by, usually a protocol.
    ///   - name: A name that distinguishes registrations of the same type.
    ///   - scope: The lifetime of an instance. By default, this container caches it.
    ///   - requires: The types that the factory resolves but doesn't register itself, or nil to leave them undeclared.
    ///   - file: The file of the registration, for messages.
    ///   - line: The line of the registration, for messages.
    ///   - factory: A closure that creates the service. A service that stores the child keeps this container alive.
    public func registerProvidingChild<Service>(
        _ type: Service.Type, name: String? = nil, scope: Scope = .cached, requires: [Any.Type]? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ factory: @escaping @isolated(any) (Container) throws -> Service
    ) {
        register(
            type, name,
            TypedRegistration(
                site: RegistrationSite(file, line), scope: scope, requires: requires?.map { ServiceID($0) },
                isProvidingChild: true, isolation: factory.isolation,
                factory: .taking(PlainFactory(factory).factory)) as TypedRegistration<Service>)
    }

    /// Registers a service whose factory doesn't use the child container.
    ///
    /// - Parameters:
    ///   - type: The type to resolve the service by, usually a protocol.
    ///   - name: A name that distinguishes registrations of the same type.
    ///   - scope: The lifetime of an instance. By default, this container caches it.
    ///   - requires: The types that the factory resolves, or nil to leave them undeclared.
    ///   - file: The file of the registration, for messages.
    ///   - line: The line of the registration, for messages.
    ///   - factory: A closure that creates the service.
    @_disfavoredOverload
    public func registerProvidingChild<Service>(
        _ type: Service.Type, name: String? = nil, scope: Scope = .cached, requires: [Any.Type]? = nil,
        file: StaticString = #fileID, line: UInt = #line, _ factory: @escaping @isolated(any) () throws -> Service
    ) {
        register(
            type, name,
            TypedRegistration(
                site: RegistrationSite(file, line), scope: scope, requires: requires?.map { ServiceID($0) },
                isProvidingChild: true, isolation: factory.isolation,
                factory: .plain(PlainVoidFactory(factory).factory)) as TypedRegistration<Service>)
    }

    /// Sets the current registration of a type.
    func register<Service>(_ type: Service.Type, _ name: String?, _ registration: Registration) {
        if isOptional(type) {
            ContainerError.misuse(
                "\(ServiceID(type)) is registered at \(registration.site), but an optional cannot be a service: "
                    + "register the wrapped type, and read it with getIfRegistered()"
            ).stop()
        }
        do throws(ContainerError) {
            try prepare()
        } catch {
            error.stop()
        }
        let entry = store.entry(type: type, name: name)
        let isReplacing = store.register(registration, for: entry)
        // A replaced factory must take effect, but the first registration in another container must not discard the
        // process's singleton.
        if isReplacing, registration.isOverride || registration.scope?.lifetime == .process {
            store.dropSingleton(of: entry, in: store.singletons(of: entry))
        }
    }
}
