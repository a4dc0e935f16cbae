/// A stub of the protocol with the same name.
public protocol EnvironmentKey {
    /// The type of the value.
    associatedtype Value

    /// The default value.
    static var defaultValue: Value { get }
}

/// A stub of the values with the same name.
public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    /// Creates an empty set of values.
    public init() {}

    /// The value for a key.
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

/// A stub of the protocol with the same name.
public protocol View {}

/// A stub of the protocol with the same name.
public protocol Scene {}

/// A stub of a view or scene with a value in its environment.
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
