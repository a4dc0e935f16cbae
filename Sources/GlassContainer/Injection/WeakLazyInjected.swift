/// A property wrapper for a service of the shared container, resolved when it's first read and held weakly.
///
/// Something else has to hold the service: if only this property refers to it, it's released immediately. It's resolved
/// once, regardless of which thread reads it first. Threads and copies behave as with ``LazyInjected``.
@propertyWrapper
public struct WeakLazyInjected<T> {
    private let reference: FactoryReference<T>
    /// The resolved service. Replaced together with the service, so that copies remain values.
    private var once = OnceValue<WeakReference<T>>()

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

    /// The service, or nil once nothing else holds it. You can replace it.
    public var wrappedValue: T? {
        get {
            // The read that resolves the service holds it until it's returned, or it could already be released.
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

    /// The wrapper itself, to resolve the service again or to check whether it's resolved.
    public var projectedValue: WeakLazyInjected<T> {
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
        once = OnceValue(WeakReference(factory.resolve()))
    }

    /// Returns the service, if it has been resolved and something still holds it.
    ///
    /// - Returns: The service, or nil.
    public func resolvedOrNil() -> T? { once.current?.service }
}

extension WeakLazyInjected: Sendable where T: Sendable {}

/// A weak reference to a service, which is nil if the service isn't a class instance.
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
    // The object is a `T`, and the language allows any thread to read a weak constant.
}
