public import Foundation

/// A stub of the class with the same name.
open class NSWorkspace: NSObject, @unchecked Sendable {
    /// The shared instance.
    open class var shared: NSWorkspace { NSWorkspace() }

    /// Opens a link.
    ///
    /// - Parameter url: The link.
    /// - Returns: Whether an app opened it.
    open func open(_ url: URL) -> Bool { false }
}
