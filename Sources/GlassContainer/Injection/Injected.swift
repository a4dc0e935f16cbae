/// A service of the shared container, resolved when its owner is made.
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
    /// - Parameter keyPath: The factory.
    public init(_ keyPath: KeyPath<Container, Factory<T>>) {
        self.init(FactoryReference(keyPath))
    }

    /// Resolves a service of a container's `shared`.
    ///
    /// - Parameter keyPath: The factory, with the type of the container.
    public init<C: SharedContainer>(_ keyPath: KeyPath<C, Factory<T>>) {
        self.init(FactoryReference(keyPath))
    }

    private init(_ reference: FactoryReference<T>) {
        self.reference = reference
        dependency = reference.factory.resolve()
    }

    /// The service; may be replaced.
    public var wrappedValue: T {
        get { dependency }
        mutating set { dependency = newValue }
    }

    /// The wrapper itself, to resolve again.
    public var projectedValue: Injected<T> {
        get { self }
        set { self = newValue }
    }

    /// The factory, of the container that is shared now.
    public var factory: Factory<T> { reference.factory }

    /// Resolves the service again.
    ///
    /// - Parameter options: What to reset of the factory before.
    public mutating func resolve(reset options: FactoryResetOptions = .none) {
        let factory = factory
        factory.reset(options)
        dependency = factory.resolve()
    }
}

extension Injected: Sendable where T: Sendable {}
