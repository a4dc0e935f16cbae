/// A container that also resolves services by their type, without properties.
///
/// ```swift
/// extension PaymentContainer: Resolving {}
/// PaymentContainer.shared.register((any Clock).self) { SystemClock() }.scope(.cached)
/// let clock = PaymentContainer.shared.resolve((any Clock).self)
/// ```
///
/// ``Container`` resolves services by type anyway. If it conforms as well, both ways use the same registration.
public protocol Resolving: ManagedContainer {}

extension Resolving {
    /// Registers a factory for a service, which is created on each resolution unless a modifier of the result changes
    /// that.
    ///
    /// - Parameters:
    ///   - type: The type to resolve the service by. By default, it's inferred from the factory.
    ///   - file: The file of the registration, for messages.
    ///   - line: The line of the registration, for messages.
    ///   - factory: A closure that creates the service.
    /// - Returns: The factory, so that you can apply modifiers.
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
        // A replaced factory must take effect, but the first registration in another container must not discard the
        // process's singleton.
        if isReplacing { store.dropSingleton(of: entry, in: store.singletons(of: entry)) }
        return result
    }

    /// Returns the factory of a type.
    ///
    /// - Parameter type: The type. By default, it's inferred from the context.
    /// - Returns: The factory, or nil if the type isn't registered here.
    public func factory<T>(_ type: T.Type = T.self) -> Factory<T>? {
        let entry = manager.store.entry(type: type, name: nil)
        let result = typeFactory(type) {
            fatalError(ContainerError.notRegistered(entry.id))  // registered before, but removed since
        }
        result.registration.prepare()
        return entry.isRegistered ? result : nil
    }

    /// Returns the service of a type.
    ///
    /// - Parameter type: The type. By default, it's inferred from the context.
    /// - Returns: The service, or nil if the type isn't registered here.
    public func resolve<T>(_ type: T.Type = T.self) -> T? {
        factory(type)?.resolveIfRegistered()
    }

    private func typeFactory<T>(_ type: T.Type, _ factory: @escaping () -> T) -> Factory<T> {
        Factory(
            registration: FactoryRegistration(self, manager.store.entry(type: type, name: nil).cell), factory: factory)
    }
}

extension ContainerError {
    /// The message for a factory whose registration was removed between its lookup and its call.
    static func notRegistered(_ id: ServiceID) -> String {
        Self.missing(path: [ResolutionStep(id: id, site: nil)], nearest: []).description
    }
}
