public import Foundation

/// Stands in for the class of the same name.
@MainActor
open class UIApplication: NSObject {
    /// What `NSObject` has on Apple's systems.
    ///
    /// - Parameter keyPath: The keys.
    /// - Returns: Nothing.
    nonisolated open class func value(forKeyPath keyPath: String) -> Any? { nil }

    /// What a link is opened with.
    public struct OpenExternalURLOptionsKey: Hashable, Sendable {
        /// Only by an app that takes the site's links.
        public static let universalLinksOnly = Self()
    }

    /// Opens a link.
    ///
    /// - Parameters:
    ///   - url: The link.
    ///   - options: How.
    /// - Returns: Whether a program took it.
    open func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool { false }
}
