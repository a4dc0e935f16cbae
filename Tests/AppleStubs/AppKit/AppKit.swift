public import Foundation

/// Stands in for the class of the same name.
open class NSWorkspace: NSObject, @unchecked Sendable {
    /// The one of the process.
    open class var shared: NSWorkspace { NSWorkspace() }

    /// Opens a link.
    ///
    /// - Parameter url: The link.
    /// - Returns: Whether a program took it.
    open func open(_ url: URL) -> Bool { false }
}
