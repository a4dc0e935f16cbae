/// The navigation state of an app: a tab and the stack of screens above its root.
public struct NavigationSnapshot: Sendable, Hashable {
    /// A screen on the stack: an element of a `NavigationStack`'s path, which `navigationDestination(for:)` displays.
    public struct Screen: Sendable, Hashable {
        /// The screen's name, such as `item`.
        public let name: String

        /// The screen's parameters, such as `itemID`.
        public let parameters: [String: String]

        /// Creates a screen.
        ///
        /// - Parameters:
        ///   - name: The screen's name.
        ///   - parameters: The screen's parameters.
        public init(name: String, parameters: [String: String] = [:]) {
            self.name = name
            self.parameters = parameters
        }
    }

    /// The selected tab.
    public let tab: String

    /// The screens from bottom to top; the last one is visible.
    public let screens: [Screen]

    /// Creates a snapshot.
    ///
    /// - Parameters:
    ///   - tab: The selected tab.
    ///   - screens: The screens from bottom to top.
    public init(tab: String = "home", screens: [Screen] = []) {
        self.tab = tab
        self.screens = screens
    }
}
