/// A container that also finds services by their type, without properties.
///
/// ```swift
/// extension PaymentContainer: Resolving {}
/// PaymentContainer.shared.register((any Clock).self) { SystemClock() }.scope(.cached)
/// let clock = PaymentContainer.shared.resolve((any Clock).self)
/// ```
///
/// ``Container`` finds services by type anyway; for one that conforms as well, both ways see the same registration.
public protocol Resolving: ManagedContainer {}

extension Resolving {
    /// Registers how a service is made, anew each time unless a modifier of the result says otherwise.
    ///
    /// - Parameters:
    ///   - type: The type that users ask for; inferred from what the factory makes.
    ///   - file: Where the registration stands, for messages.
    ///   - line: The line of the registration, for messages.
    ///   - factory: Makes the service.
    /// - Returns: The factory, for modifiers.
    @discardableResult
    public func register<T>(
        _ type: T.Type = T.self, file: StaticString = #fileID, line: UInt = #line,
        factory: @escaping @Sendable () -> T
    ) -> Factory<T> {
        let result = typeFactory(type, factory)
        result.registration.prepare()
        let (store, entry) = (manager.store, result.registration.entry)
        let isReplacing = store.register(
            TypedRegistration(
                site: RegistrationSite(file, line), scope: nil, isolation: nil, factory: .plain(factory))
                as TypedRegistration<T>,
            for: entry)
        // A new factory shall be seen; another container's first registration shall not drop the process's instance.
        if isReplacing { store.dropSingleton(of: entry, in: store.singletons(of: entry)) }
        return result
    }

    /// The factory of a type.
    ///
    /// - Parameter type: The type; inferred from what is wanted.
    /// - Returns: The factory, or nil if the type is not registered here.
    public func factory<T>(_ type: T.Type = T.self) -> Factory<T>? {
        let entry = manager.store.entry(type: type, name: nil)
        let result = typeFactory(type) {
            fatalError(ContainerError.notRegistered(entry.id))  // it was registered, and is no longer
        }
        result.registration.prepare()
        return entry.isRegistered ? result : nil
    }

    /// The service of a type.
    ///
    /// - Parameter type: The type; inferred from what is wanted.
    /// - Returns: The service, or nil if the type is not registered here.
    public func resolve<T>(_ type: T.Type = T.self) -> T? {
        factory(type)?.resolveIfRegistered()
    }

    private func typeFactory<T>(_ type: T.Type, _ factory: @escaping () -> T) -> Factory<T> {
        Factory(
            registration: FactoryRegistration(self, manager.store.entry(type: type, name: nil).cell), factory: factory)
    }
}

extension ContainerError {
    /// The text for a factory whose registration went away between asking for it and calling it.
    static func notRegistered(_ id: ServiceID) -> String {
        Self.missing(path: [ResolutionStep(id: id, site: nil)], nearest: []).description
    }
}
