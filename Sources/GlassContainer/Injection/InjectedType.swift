/// A service found by its type, or nil if it is not registered; resolved when its owner is made.
@propertyWrapper
public struct InjectedType<T> {
    private var dependency: T?

    /// Resolves a type from `Container.shared`.
    public init() {
        dependency = Container.shared.getIfRegistered()
    }

    /// Resolves a type from a container.
    ///
    /// - Parameter container: The container; one that is neither a `Container` nor `Resolving` knows no types.
    public init(_ container: any ManagedContainer) {
        if let container = container as? Container {
            dependency = container.getIfRegistered()
        } else {
            dependency = (container as? any Resolving)?.resolve()
        }
    }

    /// The service; may be replaced.
    public var wrappedValue: T? {
        get { dependency }
        mutating set { dependency = newValue }
    }
}

extension InjectedType: Sendable where T: Sendable {}
