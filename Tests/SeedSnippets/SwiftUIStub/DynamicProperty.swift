/// A stub of the protocol with the same name, for systems without SwiftUI.
public protocol DynamicProperty {
    /// Called by SwiftUI before it reads a view's body.
    mutating func update()
}

extension DynamicProperty {
    /// Does nothing.
    public mutating func update() {}
}

/// A stub of the wrapper with the same name: holds a value, or a reference to an observable object.
@propertyWrapper
public struct State<Value>: DynamicProperty {
    /// The value.
    public var wrappedValue: Value

    /// A binding to the current value.
    public var projectedValue: Binding<Value> { Binding(wrappedValue) }

    /// Stores a value.
    ///
    /// - Parameter wrappedValue: The value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// Stores a value.
    ///
    /// - Parameter initialValue: The value.
    public init(initialValue: Value) {
        wrappedValue = initialValue
    }
}

/// A stub of the wrapper with the same name: a readable and writable value.
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
    private let read: () -> Value
    private let write: (Value) -> Void

    /// The value.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    /// The binding itself.
    public var projectedValue: Binding<Value> { self }

    /// Reads and writes a value through closures.
    ///
    /// - Parameters:
    ///   - get: Reads the value.
    ///   - set: Writes it.
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        read = get
        write = set
    }

    init(_ value: Value) {
        self.init(get: { value }, set: { _ in })
    }

    /// A binding to part of the value.
    ///
    /// - Parameter member: The part.
    public subscript<Member>(dynamicMember member: WritableKeyPath<Value, Member>) -> Binding<Member> {
        Binding<Member>(wrappedValue[keyPath: member])
    }
}
