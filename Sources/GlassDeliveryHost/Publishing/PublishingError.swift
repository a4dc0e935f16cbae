/// The reason why nothing was published, or why a key was not used.
struct PublishingError: Error, Equatable, CustomStringConvertible {
    /// The kind of an error.
    enum Kind: Sendable {
        /// The request must not be published.
        case refused
        /// The operation failed, for example because of a file, a key, or a signing command.
        case impossible
    }

    /// The kind of the error.
    let kind: Kind
    /// The problem, its place, and how to fix it.
    let description: String

    /// Creates an error for a request that must not be published.
    static func refused(_ description: String) -> PublishingError {
        PublishingError(kind: .refused, description: description)
    }

    /// Creates an error for a failed operation.
    static func impossible(_ description: String) -> PublishingError {
        PublishingError(kind: .impossible, description: description)
    }
}
