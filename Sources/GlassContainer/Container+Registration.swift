extension Container {
    /// Registers how a service is made. Nothing is made before someone asks for it.
    ///
    /// ```swift
    /// container.register((any Networking).self) { c in LiveNetworking(container: c) }
    /// container.register((any Networking).self, LiveNetworking.init)
    /// container.register((any Tracking).self) { $0.get((any Analytics).self) }
    /// ```
    ///
    /// With the scope `Scope.singleton`, the instance is kept by the one that is bound where the service is resolved.
    /// Registering a type again replaces the registration and drops the kept instance; `validate` reports it.
    ///
    /// A factory that is formed on an actor, such as the main actor, belongs to it. In debug builds, making the service
    /// elsewhere stops the program with the service and the place of the registration. What is kept already may be read
    /// anywhere, and `{ @Sendable container in … }` belongs to no actor.
    /// - Parameters:
    ///   - type: The type that users ask for, usually a protocol: `(any Networking).self`.
    ///   - name: Tells registrations of one type apart.
    ///   - scope: How long an instance lives; by default this container keeps it.
    ///   - requires: The types that the factory resolves, for `validate(requiring:)`; nil leaves them undeclared.
    ///   - file: Where the registration stands, for messages.
    ///   - line: The line of the registration, for messages.
    ///   - factory: Makes the service. It gets this container, also when a child asks.
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

    /// Registers how a service is made that needs nothing from the container.
    ///
    /// ```swift
    /// container.register((any Clock).self) { SystemClock() }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type that users ask for, usually a protocol.
    ///   - name: Tells registrations of one type apart.
    ///   - scope: How long an instance lives; by default this container keeps it.
    ///   - requires: The types that the factory resolves, for `validate(requiring:)`; nil leaves them undeclared.
    ///   - file: Where the registration stands, for messages.
    ///   - line: The line of the registration, for messages.
    ///   - factory: Makes the service.
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

    /// Registers a service whose factory gets a container of its own: a new child of this one for each instance.
    ///
    /// What the factory registers there is private to the service; what it resolves there it finds in this container too.
    /// - Parameters:
    ///   - type: The type that users ask for, usually a protocol.
    ///   - name: Tells registrations of one type apart.
    ///   - scope: How long an instance lives; by default this container keeps it.
    ///   - requires: The types that the factory resolves and does not register itself; nil leaves them undeclared.
    ///   - file: Where the registration stands, for messages.
    ///   - line: The line of the registration, for messages.
    ///   - factory: Makes the service. A service that keeps the child keeps this container alive.
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

    /// Registers a service that would get a container of its own and does not use it.
    ///
    /// - Parameters:
    ///   - type: The type that users ask for, usually a protocol.
    ///   - name: Tells registrations of one type apart.
    ///   - scope: How long an instance lives; by default this container keeps it.
    ///   - requires: The types that the factory resolves; nil leaves them undeclared.
    ///   - file: Where the registration stands, for messages.
    ///   - line: The line of the registration, for messages.
    ///   - factory: Makes the service.
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

    /// Puts a registration in force for a type.
    func register<Service>(_ type: Service.Type, _ name: String?, _ registration: Registration) {
        if isOptional(type) {
            ContainerError.misuse(
                "\(ServiceID(type)) is registered at \(registration.site), but an optional is no service: "
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
        // A new factory shall be seen; another container's first registration shall not drop the process's instance.
        if isReplacing, registration.isOverride || registration.scope?.lifetime == .process {
            store.dropSingleton(of: entry, in: store.singletons(of: entry))
        }
    }
}
