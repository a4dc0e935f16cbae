/// A stub of the protocol with the same name, for systems without SwiftUI: it type-checks but does nothing.
public protocol ObservableObject: AnyObject {}

/// A stub of the wrapper with the same name: stores a value without publishing changes.
@propertyWrapper
public struct Published<Value> {
    /// The value.
    public var wrappedValue: Value

    /// Stores a value.
    ///
    /// - Parameter wrappedValue: The value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }
}
