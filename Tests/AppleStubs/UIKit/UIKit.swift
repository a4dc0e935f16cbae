public import Foundation

/// A stub of the class with the same name.
@MainActor
open class UIApplication: NSObject {
    /// A member of `NSObject` on Apple's systems.
    ///
    /// - Parameter keyPath: The keys.
    /// - Returns: Nothing.
    nonisolated open class func value(forKeyPath keyPath: String) -> Any? { nil }

    /// The options for opening a link.
    public struct OpenExternalURLOptionsKey: Hashable, Sendable {
        /// Opens the link only in an app that handles the site's links.
        public static let universalLinksOnly = Self()
    }

    /// Opens a link.
    ///
    /// - Parameters:
    ///   - url: The link.
    ///   - options: The options.
    /// - Returns: Whether an app opened it.
    open func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool { false }
}
