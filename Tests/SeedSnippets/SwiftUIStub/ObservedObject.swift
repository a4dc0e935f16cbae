/// Stands in for the wrapper of the same name where there is no SwiftUI: keeps a reference to an object.
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

    /// Keeps an object.
    ///
    /// - Parameter wrappedValue: the object.
    public init(wrappedValue: Object) {
        object = wrappedValue
    }

    /// Hands out bindings to an object's properties.
    @MainActor
    @dynamicMemberLookup
    public struct Wrapper {
        let object: Object

        /// A binding to a property.
        ///
        /// - Parameter member: the property.
        public subscript<Member>(dynamicMember member: ReferenceWritableKeyPath<Object, Member>) -> Binding<Member> {
            Binding<Member>(object[keyPath: member])
        }
    }
}

/// Stands in for the wrapper of the same name: makes an object when it is first read, and owns it.
@propertyWrapper
public struct StateObject<Object: ObservableObject>: DynamicProperty {
    private let make: () -> Object

    /// The object.
    @MainActor public var wrappedValue: Object { make() }

    /// Bindings to the object's properties.
    @MainActor public var projectedValue: ObservedObject<Object>.Wrapper { ObservedObject.Wrapper(object: make()) }

    /// Owns an object.
    ///
    /// - Parameter thunk: makes the object.
    public init(wrappedValue thunk: @autoclosure @escaping () -> Object) {
        make = thunk
    }
}
