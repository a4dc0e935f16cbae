/// A service of the shared container, resolved when it is read first.
///
/// ```swift
/// final class ViewModel {
///     @LazyInjected(\.clock) var clock
/// }
/// ```
///
/// Several threads may read the property first at once: the service is resolved once, and all of them get it. Copies that
/// are made before share what the first reader resolves; what is set or resolved again is one copy's own. That is a write,
/// which must not happen while others read, as with any `var`.
@propertyWrapper
public struct LazyInjected<T> {
    private let reference: FactoryReference<T>
    /// What was resolved; another one when the service is replaced, so that copies stay values.
    private var once = OnceValue<T>()

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

    /// The service; may be replaced.
    public var wrappedValue: T {
        get { once.value { reference.factory.resolve() } }
        set { once = OnceValue(newValue) }
    }

    /// The wrapper itself, to resolve again or to ask whether it was.
    public var projectedValue: LazyInjected<T> {
        get { self }
        set { self = newValue }
    }

    /// The factory, of the container that is shared now.
    public var factory: Factory<T> { reference.factory }

    /// Resolves the service now.
    ///
    /// - Parameter options: What to reset of the factory before.
    public mutating func resolve(reset options: FactoryResetOptions = .none) {
        let factory = factory
        factory.reset(options)
        once = OnceValue(factory.resolve())
    }

    /// The service, if it was resolved, to clean up without making it.
    ///
    /// - Returns: The service, or nil.
    public func resolvedOrNil() -> T? { once.current }
}

extension LazyInjected: Sendable where T: Sendable {}
