/// Resolves a service of `Container.shared`.
///
/// - Parameter keyPath: The key path of the factory.
/// - Returns: The service.
public func dependency<T>(_ keyPath: KeyPath<Container, Factory<T>>) -> T {
    Container.shared[keyPath: keyPath].resolve()
}

/// Resolves a service of a container type's shared instance.
///
/// - Parameter keyPath: The key path of the factory, which begins with the container type.
/// - Returns: The service.
public func dependency<C: SharedContainer, T>(_ keyPath: KeyPath<C, Factory<T>>) -> T {
    C.shared[keyPath: keyPath].resolve()
}

/// Resolves a service of `Container.shared` from a parameter.
///
/// - Parameters:
///   - keyPath: The key path of the factory.
///   - parameter: The parameter to create it from.
/// - Returns: The service.
public func dependency<P, T>(_ keyPath: KeyPath<Container, ParameterFactory<P, T>>, parameter: P) -> T {
    Container.shared[keyPath: keyPath].resolve(parameter)
}

/// Resolves a service of a container type's shared instance from a parameter.
///
/// - Parameters:
///   - keyPath: The key path of the factory, which begins with the container type.
///   - parameter: The parameter to create it from.
/// - Returns: The service.
public func dependency<C: SharedContainer, P, T>(_ keyPath: KeyPath<C, ParameterFactory<P, T>>, parameter: P) -> T {
    C.shared[keyPath: keyPath].resolve(parameter)
}

/// Resolves a service of `Container.shared`; `dependency` is the newer name.
///
/// - Parameter keyPath: The key path of the factory.
/// - Returns: The service.
public func resolve<T>(_ keyPath: KeyPath<Container, Factory<T>>) -> T {
    dependency(keyPath)
}

/// Resolves a service of a container type's shared instance; `dependency` is the newer name.
///
/// - Parameter keyPath: The key path of the factory, which begins with the container type.
/// - Returns: The service.
public func resolve<C: SharedContainer, T>(_ keyPath: KeyPath<C, Factory<T>>) -> T {
    dependency(keyPath)
}
