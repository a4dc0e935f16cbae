package import Foundation

/// An error of a service: one text says what is wrong, where, and what to do.
///
/// The text is its `localizedDescription` too, which alerts show and crash reporters record; only a ``CoordinatedError`` has
/// the title that is meant for the user there.
package protocol PlatformError: LocalizedError, CustomStringConvertible {
    /// What is wrong, where, and what to do; in English, whatever the user's language.
    var diagnosis: String { get }
}

extension PlatformError {
    /// The ``diagnosis``.
    public var description: String { diagnosis }

    /// The ``diagnosis``.
    public var errorDescription: String? { diagnosis }
}
