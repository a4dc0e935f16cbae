/// A service of the shared container, resolved each time it is read.
@propertyWrapper
public struct DynamicInjected<T> {
    private let reference: FactoryReference<T>

    /// Stands for a service of `Container.shared`.
    ///
    /// - Parameter keyPath: The factory.
    public init(_ keyPath: KeyPath<Container, Factory<T>>) {
        reference = FactoryReference(keyPath)
    }

    /// Stands for a service of a container's `shared`.
    ///
    /// - Parameter keyPath: The factory, with the type of the container.
    public init<C: SharedContainer>(_ keyPath: KeyPath<C, Factory<T>>) {
        reference = FactoryReference(keyPath)
    }

    /// The service.
    public var wrappedValue: T { reference.factory.resolve() }

    /// The factory, of the container that is shared now.
    public var projectedValue: Factory<T> { reference.factory }
}

extension DynamicInjected: Sendable where T: Sendable {}
