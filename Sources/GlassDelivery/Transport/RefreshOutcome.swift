/// What a refresh came to. Whatever failed, what was verified before is in it and belongs into the store.
package struct RefreshOutcome: Sendable {
    /// A file that was verified.
    package struct Received: Sendable, Equatable {
        /// Its role.
        package var role: String
        /// Its version.
        package var version: Int
        /// The file as received.
        package var bytes: [UInt8]

        /// Its name in a store.
        package var name: String { TrustedSet.storedName(of: role) }
    }

    /// What is trusted now.
    package var trusted: TrustedSet
    /// The files that were verified, in order; of the roots each, and the last is to be kept.
    package var received: [Received] = []
    /// Whether timestamp and snapshot were forgotten, because their keys are no longer in use. A store removes their files
    /// before it writes ``received``.
    package var hasForgotten = false
    /// The entity tag of the timestamp, for the next refresh; nil if the server gave none.
    package var entityTag: String?
    /// The files that were looked for, by their paths; those that no role lists are missing.
    package var files: [String: TargetFile] = [:]
    /// The delegated roles that were asked for them.
    package var roles: [String] = []
    /// What ended the refresh, nil if all went well.
    package var error: MetadataError?
    /// How long the server asks to be left alone.
    package var retryAfter: Duration?
    /// How many requests were made.
    package var requests = 0
    /// How many bytes came, after decompression.
    package var bytes = 0

    /// Whether all went well and the server had nothing new.
    package var isUnchanged: Bool { error == nil && received.isEmpty }
}

/// What the download of a file came to.
package struct DownloadOutcome: Sendable {
    /// The file; nil if it could not be had. It has the listed length and hashes.
    package var bytes: [UInt8]?
    /// Why it could not be had.
    package var error: MetadataError?
    /// What came of it, for ``UpdateClient/download(_:of:resuming:)`` later.
    package var partial: PartialFile?
    /// How long the server asks to be left alone.
    package var retryAfter: Duration?
}
