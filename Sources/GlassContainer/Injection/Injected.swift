/// A property wrapper for a service of the shared container, resolved when its owner is created.
///
/// ```swift
/// final class ViewModel {
///     @Injected(\.clock) var clock
///     @Injected(\PaymentContainer.ledger) var ledger
/// }
/// ```
@propertyWrapper
public struct Injected<T> {
    private let reference: FactoryReference<T>
    private var dependency: T

    /// Resolves a service of `Container.shared`.
    ///
    /// - Parameter keyPath: The key path of the factory.
    public init(_ keyPath: KeyPath<Container, Factory<T>>) {
        self.init(FactoryReference(keyPath))
    }

    /// Resolves a service of a container type's shared instance.
    ///
    /// - Parameter keyPath: The key path of the factory, which begins with the container type.
    public init<C: SharedContainer>(_ keyPath: KeyPath<C, Factory<T>>) {
        self.init(FactoryReference(keyPath))
    }

    private init(_ reference: FactoryReference<T>) {
        self.reference = reference
        dependency = reference.factory.resolve()
    }

    /// The service. You can replace it.
    public var wrappedValue: T {
        get { dependency }
        mutating set { dependency = newValue }
    }

    /// The wrapper itself, to resolve the service again.
    public var projectedValue: Injected<T> {
        get { self }
        set { self = newValue }
    }

    /// The factory, from the current shared container.
    public var factory: Factory<T> { reference.factory }

    /// Resolves the service again.
    ///
    /// - Parameter options: What to reset first.
    public mutating func resolve(reset options: FactoryResetOptions = .none) {
        let factory = factory
        factory.reset(options)
        dependency = factory.resolve()
    }
}

extension Injected: Sendable where T: Sendable {}
