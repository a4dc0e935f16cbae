#if canImport(SwiftUI)
    public import SwiftUI
#elseif GLASS_SWIFTUI_STUB
    public import SwiftUIStub
#endif

#if canImport(SwiftUI) || GLASS_SWIFTUI_STUB
    /// View bodies don't run in a task of the app, so a container bound with `Container.$shared` doesn't reach them.
    /// This value does.
    private struct ContainerKey: EnvironmentKey {
        // Computed on each read, because `Container.shared` isn't constant: it follows the active market.
        static var defaultValue: Container { Container.shared }
    }

    extension EnvironmentValues {
        /// The container of a scene or a view, for `@Environment(\.container)`. By default, it's `Container.shared`.
        public var container: Container {
            get { self[ContainerKey.self] }
            set { self[ContainerKey.self] = newValue }
        }
    }

    extension View {
        /// Sets the container of a view and its subviews, for example that of a market in a preview.
        ///
        /// - Parameter container: The container.
        /// - Returns: The view with that container.
        public func container(_ container: Container) -> some View {
            environment(\.container, container)
        }
    }

    extension Scene {
        /// Sets the container of a scene, for example that of the scene's own market. `Container.shared` isn't
        /// affected.
        ///
        /// - Parameter container: The container.
        /// - Returns: The scene with that container.
        public func container(_ container: Container) -> some Scene {
            environment(\.container, container)
        }
    }
#endif
