/// A service of the shared container, resolved when it is read first and held weakly.
///
/// Somebody else has to hold the service: what only this property refers to is gone at once. It is resolved once, whoever
/// reads it first; threads and copies are as with ``LazyInjected``.
@propertyWrapper
public struct WeakLazyInjected<T> {
    private let reference: FactoryReference<T>
    /// What was resolved; another one when the service is replaced, so that copies stay values.
    private var once = OnceValue<WeakReference<T>>()

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

    /// The service, or nil once nobody holds it; may be replaced.
    public var wrappedValue: T? {
        get {
            // Who resolves the service holds it until it is returned.
            var new: T?
            let weakly = once.value {
                let service = reference.factory.resolve()
                new = service
                return WeakReference(service)
            }
            return withExtendedLifetime(new) { weakly.service }
        }
        set { once = OnceValue(WeakReference(newValue)) }
    }

    /// The wrapper itself, to resolve again or to ask whether it was.
    public var projectedValue: WeakLazyInjected<T> {
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
        once = OnceValue(WeakReference(factory.resolve()))
    }

    /// The service, if it was resolved and somebody holds it.
    ///
    /// - Returns: The service, or nil.
    public func resolvedOrNil() -> T? { once.current?.service }
}

extension WeakLazyInjected: Sendable where T: Sendable {}

/// A service, if it is the instance of a class and somebody else holds it.
private final class WeakReference<T> {
    private weak let object: AnyObject?

    init(_ service: T?) {
        guard let service else {
            object = nil
            return
        }
        var some: Any = service
        if let optional = service as? any OptionalService { some = optional.wrapped ?? service }
        object = type(of: some) is any AnyObject.Type ? some as AnyObject : nil
    }

    var service: T? { object as? T }
}

extension WeakReference: @unchecked Sendable where T: Sendable {  // a weak constant to a Sendable object
    // The object is a `T`, and the language lets any thread read a weak constant.
}
