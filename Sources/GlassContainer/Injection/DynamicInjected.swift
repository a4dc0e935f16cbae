/// A service of the shared container, resolved each time it is read.
@propertyWrapper
public struct DynamicInjected<T> {
    private let thunk: @Sendable () -> Factory<T>

    /// Stands for a service of `Container.shared`.
    ///
    /// - Parameter keyPath: The factory.
    public init(_ keyPath: any KeyPath<Container, Factory<T>> & Sendable) {
        thunk = { Container.shared[keyPath: keyPath] }
    }

    /// Stands for a service of a container's `shared`.
    ///
    /// - Parameter keyPath: The factory, with the type of the container.
    public init<C: SharedContainer>(_ keyPath: any KeyPath<C, Factory<T>> & Sendable) {
        thunk = { C.shared[keyPath: keyPath] }
    }

    /// The service.
    public var wrappedValue: T { thunk().resolve() }

    /// The factory, of the container that is shared now.
    public var projectedValue: Factory<T> { thunk() }
}

extension DynamicInjected: Sendable where T: Sendable {}
