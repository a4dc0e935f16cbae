/// Why nothing was published, or a key was not used.
package struct PublishingError: Error, Equatable, CustomStringConvertible {
    /// What kind of an end it is.
    package enum Kind: Sendable {
        /// The answer is no: what was asked for must not be published.
        case refused
        /// It could not be done: a file, a key or a command that signs.
        case impossible
    }

    /// What kind of an end it is.
    package let kind: Kind
    /// What failed, where, and what to do.
    package let description: String

    /// What must not be published.
    package static func refused(_ description: String) -> PublishingError {
        PublishingError(kind: .refused, description: description)
    }

    /// What could not be done.
    package static func impossible(_ description: String) -> PublishingError {
        PublishingError(kind: .impossible, description: description)
    }
}
