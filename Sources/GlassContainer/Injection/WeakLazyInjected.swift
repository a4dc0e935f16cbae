/// A service of the shared container, resolved when it is read first and held weakly.
///
/// Somebody else has to hold the service: what only this property refers to is gone at once.
@propertyWrapper
public struct WeakLazyInjected<T> {
    private let thunk: () -> Factory<T>
    private weak var dependency: AnyObject?
    private var isResolved = false

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

    /// The service, or nil once nobody holds it; may be replaced.
    public var wrappedValue: T? {
        mutating get {
            if !isResolved { return hold(thunk().resolve()) }
            return dependency as? T
        }
        mutating set {
            isResolved = true
            dependency = newValue.flatMap { Self.object($0) }
        }
    }

    /// The wrapper itself, to resolve again or to ask whether it was.
    public var projectedValue: WeakLazyInjected<T> {
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
        _ = hold(factory.resolve())
    }

    /// The service, if it was resolved and somebody holds it.
    ///
    /// - Returns: the service, or nil.
    public func resolvedOrNil() -> T? { dependency as? T }

    private mutating func hold(_ service: T) -> T? {
        isResolved = true
        dependency = Self.object(service)
        return dependency as? T
    }

    /// What can be held weakly: the instance of a class.
    private static func object(_ service: T) -> AnyObject? {
        var some: Any = service
        if let optional = service as? any OptionalService { some = optional.wrapped ?? service }
        return type(of: some) is any AnyObject.Type ? some as AnyObject : nil
    }
}

extension WeakLazyInjected: @unchecked Sendable where T: Sendable {
    // The thunk holds a key path without captured values; a weak reference may be read by several threads.
}
