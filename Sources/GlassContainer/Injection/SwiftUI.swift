#if canImport(SwiftUI)
    public import Combine
    public import Observation
    public import SwiftUI
#elseif GLASS_SWIFTUI_STUB
    public import SwiftUIStub
#endif

#if canImport(SwiftUI) || GLASS_SWIFTUI_STUB
    /// A property wrapper for an observable object of the shared container, for use in a view.
    @MainActor
    @propertyWrapper
    public struct InjectedObject<T: ObservableObject>: DynamicProperty {
        @StateObject private var dependency: T

        /// Resolves a service of `Container.shared`.
        ///
        /// - Parameter keyPath: The key path of the factory.
        public init(_ keyPath: KeyPath<Container, Factory<T>>) {
            _dependency = StateObject(wrappedValue: Container.shared[keyPath: keyPath].resolve())
        }

        /// Resolves a service of a container type's shared instance.
        ///
        /// - Parameter keyPath: The key path of the factory, which begins with the container type.
        public init<C: SharedContainer>(_ keyPath: KeyPath<C, Factory<T>>) {
            _dependency = StateObject(wrappedValue: C.shared[keyPath: keyPath].resolve())
        }

        /// Creates a wrapper for an existing object.
        ///
        /// - Parameter wrappedValue: The object.
        public init(_ wrappedValue: T) {
            _dependency = StateObject(wrappedValue: wrappedValue)
        }

        /// The object.
        public var wrappedValue: T { dependency }

        /// Bindings to the object's properties.
        public var projectedValue: ObservedObject<T>.Wrapper { $dependency }
    }

    /// A property wrapper for an observable of the shared container, for use in a view. It's resolved once, when it's
    /// first read.
    @MainActor
    @propertyWrapper
    public struct InjectedObservable<T: Observable>: DynamicProperty {
        @State private var dependency: LazyBox<T>

        /// Creates a wrapper for a service of `Container.shared`.
        ///
        /// - Parameter keyPath: The key path of the factory.
        public init(_ keyPath: KeyPath<Container, Factory<T>>) {
            _dependency = State(wrappedValue: LazyBox { Container.shared[keyPath: keyPath].resolve() })
        }

        /// Creates a wrapper for a service of a container type's shared instance.
        ///
        /// - Parameter keyPath: The key path of the factory, which begins with the container type.
        public init<C: SharedContainer>(_ keyPath: KeyPath<C, Factory<T>>) {
            _dependency = State(wrappedValue: LazyBox { C.shared[keyPath: keyPath].resolve() })
        }

        /// Creates a wrapper for an observable.
        ///
        /// - Parameter wrappedValue: The observable, created when it's first read.
        public init(_ wrappedValue: @autoclosure @escaping () -> T) {
            _dependency = State(wrappedValue: LazyBox(wrappedValue))
        }

        /// The observable.
        public var wrappedValue: T { dependency.value }

        /// A binding to the observable.
        public var projectedValue: Binding<T> {
            Binding(get: { dependency.value }, set: { _ in })
        }
    }

    /// A value that's created when it's first read.
    @MainActor
    private final class LazyBox<Value> {
        private let make: () -> Value
        private var made: Value?

        init(_ make: @escaping () -> Value) {
            self.make = make
        }

        var value: Value {
            if let made { return made }
            let value = make()
            made = value
            return value
        }
    }

    extension SharedContainer {
        /// Configures the shared container in a preview.
        ///
        /// - Parameter transform: A closure that configures the container.
        /// - Returns: An empty view.
        @discardableResult
        @MainActor
        public static func mock(_ transform: (Self) -> Void) -> EmptyView {
            transform(shared)
            return EmptyView()
        }

        /// Configures the shared container in a preview; calling the container is the newer spelling.
        ///
        /// - Parameter transform: A closure that configures the container.
        /// - Returns: An empty view.
        @discardableResult
        @MainActor
        public static func preview(_ transform: (Self) -> Void) -> EmptyView {
            mock(transform)
        }

        /// Configures this container in a preview; calling the container is the newer spelling.
        ///
        /// - Parameter transform: A closure that configures the container.
        /// - Returns: An empty view.
        @discardableResult
        @MainActor
        public func preview(_ transform: (Self) -> Void) -> EmptyView {
            transform(self)
            return EmptyView()
        }
    }

    extension Factory {
        /// Overrides a service in a preview.
        ///
        /// - Parameter factory: A closure that creates the service instead.
        /// - Returns: An empty view.
        @discardableResult
        @MainActor
        public func preview(factory: @escaping @isolated(any) () -> T) -> EmptyView {
            register(factory: factory)
            return EmptyView()
        }
    }

    extension ParameterFactory {
        /// Overrides a service in a preview.
        ///
        /// - Parameter factory: A closure that creates the service instead.
        /// - Returns: An empty view.
        @discardableResult
        @MainActor
        public func preview(factory: @escaping @isolated(any) (P) -> T) -> EmptyView {
            register(factory: factory)
            return EmptyView()
        }
    }
#endif
