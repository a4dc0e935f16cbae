/// The service of a factory of `Container.shared`.
///
/// - Parameter keyPath: The factory.
/// - Returns: The service.
public func dependency<T>(_ keyPath: KeyPath<Container, Factory<T>>) -> T {
    Container.shared[keyPath: keyPath].resolve()
}

/// The service of a factory of a container's `shared`.
///
/// - Parameter keyPath: The factory, with the type of the container.
/// - Returns: The service.
public func dependency<C: SharedContainer, T>(_ keyPath: KeyPath<C, Factory<T>>) -> T {
    C.shared[keyPath: keyPath].resolve()
}

/// The service of a factory of `Container.shared` that takes a parameter.
///
/// - Parameters:
///   - keyPath: The factory.
///   - parameter: What to make it from.
/// - Returns: The service.
public func dependency<P, T>(_ keyPath: KeyPath<Container, ParameterFactory<P, T>>, parameter: P) -> T {
    Container.shared[keyPath: keyPath].resolve(parameter)
}

/// The service of a factory of a container's `shared` that takes a parameter.
///
/// - Parameters:
///   - keyPath: The factory, with the type of the container.
///   - parameter: What to make it from.
/// - Returns: The service.
public func dependency<C: SharedContainer, P, T>(_ keyPath: KeyPath<C, ParameterFactory<P, T>>, parameter: P) -> T {
    C.shared[keyPath: keyPath].resolve(parameter)
}

/// The service of a factory of `Container.shared`; `dependency` is the newer name.
///
/// - Parameter keyPath: The factory.
/// - Returns: The service.
public func resolve<T>(_ keyPath: KeyPath<Container, Factory<T>>) -> T {
    dependency(keyPath)
}

/// The service of a factory of a container's `shared`; `dependency` is the newer name.
///
/// - Parameter keyPath: The factory, with the type of the container.
/// - Returns: The service.
public func resolve<C: SharedContainer, T>(_ keyPath: KeyPath<C, Factory<T>>) -> T {
    dependency(keyPath)
}
