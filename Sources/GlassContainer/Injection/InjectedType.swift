/// A property wrapper for a service that's found by its type, or nil if it isn't registered; resolved when its owner is
/// created.
@propertyWrapper
public struct InjectedType<T> {
    private var dependency: T?

    /// Resolves a type from `Container.shared`.
    public init() {
        dependency = Container.shared.getIfRegistered()
    }

    /// Resolves a type from a container.
    ///
    /// - Parameter container: The container. If it's neither a `Container` nor `Resolving`, the value is nil.
    public init(_ container: any ManagedContainer) {
        if let container = container as? Container {
            dependency = container.getIfRegistered()
        } else {
            dependency = (container as? any Resolving)?.resolve()
        }
    }

    /// The service. You can replace it.
    public var wrappedValue: T? {
        get { dependency }
        mutating set { dependency = newValue }
    }
}

extension InjectedType: Sendable where T: Sendable {}
