/// A stub of the wrapper with the same name, for systems without SwiftUI: stores a reference to an object.
@propertyWrapper
public struct ObservedObject<Object: ObservableObject>: DynamicProperty {
    private var object: Object

    /// The object.
    @MainActor public var wrappedValue: Object {
        get { object }
        set { object = newValue }
    }

    /// Bindings to the object's properties.
    @MainActor public var projectedValue: Wrapper { Wrapper(object: object) }

    /// Stores an object.
    ///
    /// - Parameter wrappedValue: The object.
    public init(wrappedValue: Object) {
        object = wrappedValue
    }

    /// Provides bindings to an object's properties.
    @MainActor
    @dynamicMemberLookup
    public struct Wrapper {
        let object: Object

        /// A binding to a property.
        ///
        /// - Parameter member: The property.
        public subscript<Member>(dynamicMember member: ReferenceWritableKeyPath<Object, Member>) -> Binding<Member> {
            Binding<Member>(object[keyPath: member])
        }
    }
}

/// A stub of the wrapper with the same name: creates an object when it is first read, and owns it.
@propertyWrapper
public struct StateObject<Object: ObservableObject>: DynamicProperty {
    private let make: () -> Object

    /// The object.
    @MainActor public var wrappedValue: Object { make() }

    /// Bindings to the object's properties.
    @MainActor public var projectedValue: ObservedObject<Object>.Wrapper { ObservedObject.Wrapper(object: make()) }

    /// Owns an object.
    ///
    /// - Parameter thunk: Creates the object.
    public init(wrappedValue thunk: @autoclosure @escaping () -> Object) {
        make = thunk
    }
}
