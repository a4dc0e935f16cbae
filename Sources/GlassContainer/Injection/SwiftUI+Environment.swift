#if canImport(SwiftUI)
    public import SwiftUI
#elseif GLASS_SWIFTUI_STUB
    public import SwiftUIStub
#endif

#if canImport(SwiftUI) || GLASS_SWIFTUI_STUB
    /// Views' bodies run in no task of an app's own, so what is bound with `Container.$shared` does not reach them; this does.
    private struct ContainerKey: EnvironmentKey {
        // Not a constant: `Container.shared` follows the market in use.
        static var defaultValue: Container { Container.shared }
    }

    extension EnvironmentValues {
        /// The container of a scene or a view, for `@Environment(\.container)`; `Container.shared` where nobody set
        /// another.
        public var container: Container {
            get { self[ContainerKey.self] }
            set { self[ContainerKey.self] = newValue }
        }
    }

    extension View {
        /// Gives a view, and all that are in it, a container, such as a market's in a preview.
        ///
        /// - Parameter container: the container.
        /// - Returns: the view with that container.
        public func container(_ container: Container) -> some View {
            environment(\.container, container)
        }
    }

    extension Scene {
        /// Gives a scene a container, such as that of a market of its own; `Container.shared` stays the process's.
        ///
        /// - Parameter container: the container.
        /// - Returns: the scene with that container.
        public func container(_ container: Container) -> some Scene {
            environment(\.container, container)
        }
    }
#endif
