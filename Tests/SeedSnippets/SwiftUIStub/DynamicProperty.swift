/// Stands in for the protocol of the same name where there is no SwiftUI.
public protocol DynamicProperty {
    /// Is called by SwiftUI before it reads a view's body.
    mutating func update()
}

extension DynamicProperty {
    /// Does nothing.
    public mutating func update() {}
}

/// Stands in for the wrapper of the same name: keeps a value, or a reference to an observable object.
@propertyWrapper
public struct State<Value>: DynamicProperty {
    /// The value.
    public var wrappedValue: Value

    /// A binding to the value as it is now.
    public var projectedValue: Binding<Value> { Binding(wrappedValue) }

    /// Keeps a value.
    ///
    /// - Parameter wrappedValue: the value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// Keeps a value.
    ///
    /// - Parameter initialValue: the value.
    public init(initialValue: Value) {
        wrappedValue = initialValue
    }
}

/// Stands in for the wrapper of the same name: a value to read and write.
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
    ///   - get: reads the value.
    ///   - set: writes it.
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        read = get
        write = set
    }

    init(_ value: Value) {
        self.init(get: { value }, set: { _ in })
    }

    /// A binding to a part of the value.
    ///
    /// - Parameter member: the part.
    public subscript<Member>(dynamicMember member: WritableKeyPath<Value, Member>) -> Binding<Member> {
        Binding<Member>(wrappedValue[keyPath: member])
    }
}
