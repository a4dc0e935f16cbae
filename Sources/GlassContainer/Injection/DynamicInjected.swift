/// A property wrapper for a service of the shared container, resolved each time it's read.
@propertyWrapper
public struct DynamicInjected<T> {
    private let reference: FactoryReference<T>

    /// Creates a wrapper for a service of `Container.shared`.
    ///
    /// - Parameter keyPath: The key path of the factory.
    public init(_ keyPath: KeyPath<Container, Factory<T>>) {
        reference = FactoryReference(keyPath)
    }

    /// Creates a wrapper for a service of a container type's shared instance.
    ///
    /// - Parameter keyPath: The key path of the factory, which begins with the container type.
    public init<C: SharedContainer>(_ keyPath: KeyPath<C, Factory<T>>) {
        reference = FactoryReference(keyPath)
    }

    /// The service.
    public var wrappedValue: T { reference.factory.resolve() }

    /// The factory, from the current shared container.
    public var projectedValue: Factory<T> { reference.factory }
}

extension DynamicInjected: Sendable where T: Sendable {}
