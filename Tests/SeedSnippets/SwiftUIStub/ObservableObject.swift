/// Stands in for the protocol of the same name where there is no SwiftUI: type-checks, and does nothing.
public protocol ObservableObject: AnyObject {}

/// Stands in for the wrapper of the same name: keeps a value and tells nobody of changes.
@propertyWrapper
public struct Published<Value> {
    /// The value.
    public var wrappedValue: Value

    /// Keeps a value.
    ///
    /// - Parameter wrappedValue: the value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }
}
