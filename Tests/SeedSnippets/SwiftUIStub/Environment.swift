/// Stands in for the protocol of the same name.
public protocol EnvironmentKey {
    /// What kind of value it is.
    associatedtype Value

    /// The value where nobody set one.
    static var defaultValue: Value { get }
}

/// Stands in for the values of the same name.
public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    /// Starts without any.
    public init() {}

    /// The value of a key.
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

/// Stands in for the protocol of the same name.
public protocol View {}

/// Stands in for the protocol of the same name.
public protocol Scene {}

/// Stands in for a view or a scene with a value in its environment.
public struct WithEnvironment<Content> {}
extension WithEnvironment: View where Content: View {}
extension WithEnvironment: Scene where Content: Scene {}

extension View {
    /// Sets a value for the view.
    public func environment<Value>(_ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some View {
        WithEnvironment<Self>()
    }
}

extension Scene {
    /// Sets a value for the scene.
    public func environment<Value>(_ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some Scene {
        WithEnvironment<Self>()
    }
}
