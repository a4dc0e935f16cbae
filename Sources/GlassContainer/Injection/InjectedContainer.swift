/// A property wrapper for the shared container of a type.
///
/// ```swift
/// final class ViewModel {
///     @InjectedContainer var container
///     @InjectedContainer(PaymentContainer.self) var payments
/// }
/// ```
@propertyWrapper
public struct InjectedContainer<C: SharedContainer>: Sendable {
    private var container: C

    /// Uses `Container.shared`.
    public init() where C == Container {
        container = Container.shared
    }

    /// Uses the shared instance of a container type.
    ///
    /// - Parameter type: The type of the container.
    public init(_ type: C.Type) {
        container = C.shared
    }

    /// The container. You can replace it.
    public var wrappedValue: C {
        get { container }
        mutating set { container = newValue }
    }

    /// Resets the container.
    ///
    /// - Parameter options: What to reset.
    public mutating func reset(options: FactoryResetOptions = .none) {
        container.reset(options: options)
    }
}
