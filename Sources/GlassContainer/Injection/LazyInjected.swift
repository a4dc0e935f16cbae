/// A property wrapper for a service of the shared container, resolved when it's first read.
///
/// ```swift
/// final class ViewModel {
///     @LazyInjected(\.clock) var clock
/// }
/// ```
///
/// Several threads may perform the first read at the same time: the service is resolved once, and all of them get it.
/// Copies that are made before the first read share the resolved service. Setting the property, or resolving it again,
/// affects only one copy. That's a write, which must not happen while other threads read, as with any `var`.
@propertyWrapper
public struct LazyInjected<T> {
    private let reference: FactoryReference<T>
    /// The resolved service. Replaced together with the service, so that copies remain values.
    private var once = OnceValue<T>()

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

    /// The service. You can replace it.
    public var wrappedValue: T {
        get { once.value { reference.factory.resolve() } }
        set { once = OnceValue(newValue) }
    }

    /// The wrapper itself, to resolve the service again or to check whether it's resolved.
    public var projectedValue: LazyInjected<T> {
        get { self }
        set { self = newValue }
    }

    /// The factory, from the current shared container.
    public var factory: Factory<T> { reference.factory }

    /// Resolves the service now.
    ///
    /// - Parameter options: What to reset first.
    public mutating func resolve(reset options: FactoryResetOptions = .none) {
        let factory = factory
        factory.reset(options)
        once = OnceValue(factory.resolve())
    }

    /// Returns the service if it has been resolved, so that you can clean up without creating it.
    ///
    /// - Returns: The service, or nil.
    public func resolvedOrNil() -> T? { once.current }
}

extension LazyInjected: Sendable where T: Sendable {}
