/// Where the app is: a tab and the stack of screens above its root.
public struct NavigationSnapshot: Sendable, Hashable {
    /// One screen of the stack: an element of a `NavigationStack`'s path, and what `navigationDestination(for:)` is for.
    public struct Screen: Sendable, Hashable {
        /// The screen's name, such as `item`.
        public let name: String

        /// What the screen shows, such as `itemID`.
        public let parameters: [String: String]

        /// Creates a screen.
        ///
        /// - Parameters:
        ///   - name: The screen's name.
        ///   - parameters: What it shows.
        public init(name: String, parameters: [String: String] = [:]) {
            self.name = name
            self.parameters = parameters
        }
    }

    /// The selected tab.
    public let tab: String

    /// The screens from the bottom to the top; the last one is visible.
    public let screens: [Screen]

    /// Creates a snapshot.
    ///
    /// - Parameters:
    ///   - tab: The selected tab.
    ///   - screens: The screens from the bottom to the top.
    public init(tab: String = "home", screens: [Screen] = []) {
        self.tab = tab
        self.screens = screens
    }
}
