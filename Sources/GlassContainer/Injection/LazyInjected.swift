/// A service of the shared container, resolved when it is read first.
///
/// ```swift
/// final class ViewModel {
///     @LazyInjected(\.clock) var clock
/// }
/// ```
@propertyWrapper
public struct LazyInjected<T> {
    private let thunk: () -> Factory<T>
    private var dependency: T?

    /// Stands for a service of `Container.shared`.
    ///
    /// - Parameter keyPath: the factory.
    public init(_ keyPath: KeyPath<Container, Factory<T>>) {
        thunk = { Container.shared[keyPath: keyPath] }
    }

    /// Stands for a service of a container's `shared`.
    ///
    /// - Parameter keyPath: the factory, with the type of the container.
    public init<C: SharedContainer>(_ keyPath: KeyPath<C, Factory<T>>) {
        thunk = { C.shared[keyPath: keyPath] }
    }

    /// The service; may be replaced.
    public var wrappedValue: T {
        mutating get {
            if let dependency { return dependency }
            let service = thunk().resolve()
            dependency = service
            return service
        }
        mutating set { dependency = newValue }
    }

    /// The wrapper itself, to resolve again or to ask whether it was.
    public var projectedValue: LazyInjected<T> {
        get { self }
        mutating set { self = newValue }
    }

    /// The factory, of the container that is shared now.
    public var factory: Factory<T> { thunk() }

    /// Resolves the service now.
    ///
    /// - Parameter options: what to reset of the factory before.
    public mutating func resolve(reset options: FactoryResetOptions = .none) {
        let factory = thunk()
        factory.reset(options)
        dependency = factory.resolve()
    }

    /// The service, if it was resolved, to clean up without making it.
    ///
    /// - Returns: the service, or nil.
    public func resolvedOrNil() -> T? { dependency }
}

extension LazyInjected: @unchecked Sendable where T: Sendable {
    // The thunk holds a key path without captured values.
}
