/// How a service is made, declared as a property of a container and called to get the service.
///
/// ```swift
/// extension Container {
///     var clock: Factory<any Clock> { self { SystemClock() } }
///     var session: Factory<Session> { self { Session(clock: self.clock()) }.cached }
/// }
/// let session = container.session()
/// ```
///
/// A property belongs to the container it is read from, and its kept instance to that container; what a parent registered
/// over it holds in its children too. Two properties of the same name and type are the same service.
public struct Factory<Service> {
    @usableFromInline let container: Container
    /// Makes the service of a property; nil for a type's registration.
    @usableFromInline let factory: (() -> Service)?
    @usableFromInline let property: StaticString
    @usableFromInline let file: StaticString
    @usableFromInline let line: UInt
    /// The name of a type's registration.
    @usableFromInline let name: String?
    /// How long an instance lives; nil for a type's registration, which says so itself.
    @usableFromInline let ownScope: Scope?

    @inlinable
    @inline(__always)
    init(
        container: Container, property: StaticString, file: StaticString, line: UInt, scope: Scope,
        factory: (() -> Service)?
    ) {
        self.container = container
        self.factory = factory
        self.property = property
        self.file = file
        self.line = line
        name = nil
        ownScope = scope
    }

    init(container: Container, name: String?) {
        self.container = container
        factory = nil
        property = ""
        file = ""
        line = 0
        self.name = name
        ownScope = nil
    }

    /// How long an instance lives; for `registered()` what the registration says, `cached` if there is none.
    public var scope: Scope {
        if let ownScope { return ownScope }
        guard let (holder, entry) = container.find(Service.self, name: name) else { return .cached }
        return holder.store.registration(entry.cell)?.scope ?? .cached
    }

    /// The same service, made anew each time.
    @inlinable
    @inline(__always)
    public var unique: Self { scoped(Scope.unique) }

    /// The same service, made on first use and kept by the container.
    @inlinable
    @inline(__always)
    public var cached: Self { scoped(Scope.cached) }

    /// The same service, made on first use and kept for the process.
    @inlinable
    @inline(__always)
    public var singleton: Self { scoped(Scope.singleton) }

    @inlinable
    @inline(__always)
    func scoped(_ scope: Scope) -> Self {
        if ownScope == nil { Self.stopScoping(scope) }
        return Self(
            container: container, property: property, file: file, line: line, scope: scope, factory: factory)
    }

    @usableFromInline
    static func stopScoping(_ scope: Scope) -> Never {
        ContainerError.misuse(
            "registered() of \(ServiceID(Service.self)) takes no scope: its registration has one, "
                + "write register(\(ServiceID(Service.self).source), scope: .\(scope)) there"
        ).stop()
    }

    /// The service. What cannot be made stops the program, as with `Container.get`.
    ///
    /// Takes no lock when the service is kept already.
    /// - Returns: the service.
    @inlinable
    @inline(__always)
    public func callAsFunction() -> Service {
        resolve()
    }

    /// The service. What cannot be made stops the program, as with `Container.get`.
    ///
    /// - Returns: the service.
    @inlinable
    @inline(__always)
    public func resolve() -> Service {
        guard let factory, let ownScope else { return container.get(Service.self, name: name) }
        return container.resolve(property, file, line, ownScope, factory)
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
        file: StaticString = #fileID, line: UInt = #line, factory: @escaping () -> Service
    ) -> Self {
        let site = RegistrationSite(file, line)
        let registration = TypedRegistration(
            site: site, scope: self.factory == nil ? scope : nil, requires: nil, isOverride: true
        ) { _ in factory() }
        if self.factory == nil {
            container.register(Service.self, name, registration)
        } else {
            container.store.register(registration, for: entry)
            dropSingleton()
        }
        return self
    }

    /// Forgets the override and the kept instance in this container.
    ///
    /// - Returns: the factory, to go on with.
    @discardableResult
    public func reset() -> Self {
        container.store.reset(entry, keepingBase: true)
        dropSingleton()
        return self
    }

    private func dropSingleton() {
        let singletons = Scope.singleton.store
        singletons.drop(entry(in: singletons))
    }

    // MARK: - Properties

    private func entry(in store: Store) -> Entry {
        factory == nil
            ? store.entry(type: Service.self, name: name) : store.entry(type: Service.self, property: property)
    }

    /// The entry in this container, with a property's definition noted on first use.
    private var entry: Entry {
        guard factory != nil else { return entry(in: container.store) }
        return container.entry(of: Service.self, property, Definition(site: RegistrationSite(file, line), scope: scope))
    }
}

extension Container {
    /// Declares a service as a property: `var clock: Factory<any Clock> { self { SystemClock() } }`.
    ///
    /// - Parameters:
    ///   - key: the property's name, which the compiler fills in.
    ///   - file: where the property stands, for messages.
    ///   - line: the line of the property, for messages.
    ///   - factory: makes the service.
    /// - Returns: the factory, `unique` unless a modifier says otherwise.
    @inlinable
    @inline(__always)
    public func callAsFunction<Service>(
        key: StaticString = #function, file: StaticString = #fileID, line: UInt = #line,
        _ factory: @escaping () -> Service
    ) -> Factory<Service> {
        Factory(container: self, property: key, file: file, line: line, scope: Scope.unique, factory: factory)
    }

    /// Declares a property that reads a type's registration: `var clock: Factory<any Clock> { registered() }`.
    ///
    /// Both styles then see one instance, one scope and one override.
    /// - Parameter name: the name of the registration.
    /// - Returns: a factory whose scope is the registration's.
    public func registered<Service>(name: String? = nil) -> Factory<Service> {
        Factory(container: self, name: name)
    }
}
