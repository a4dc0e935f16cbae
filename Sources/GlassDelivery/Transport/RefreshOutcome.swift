/// The result of a refresh. Even after an error, it contains the files that were verified before and should be stored.
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

    /// The metadata that is trusted now.
    package var trusted: TrustedSet
    /// The verified files in order. They include each root version, of which only the last needs to be stored.
    package var received: [Received] = []
    /// Whether the timestamp and the snapshot were discarded because their keys are no longer in use. A store removes
    /// their files before it writes ``received``.
    package var hasForgotten = false
    /// The entity tag of the timestamp for the next refresh; `nil` if the server sent none.
    package var entityTag: String?
    /// The requested files that a role lists, by path.
    package var files: [String: TargetFile] = [:]
    /// The delegated roles that were fetched to find the files.
    package var roles: [String] = []
    /// The error that ended the refresh, if any.
    package var error: MetadataError?
    /// The delay that the server requested before the next request.
    package var retryAfter: Duration?
    /// The number of requests.
    package var requests = 0
    /// The number of received bytes, after decompression.
    package var bytes = 0

    /// Whether the refresh succeeded and the server had nothing new.
    package var isUnchanged: Bool { error == nil && received.isEmpty }
}

/// The result of a download.
package struct DownloadOutcome: Sendable {
    /// The file, with the listed length and hashes; `nil` after an error.
    package var bytes: [UInt8]?
    /// The reason why the download failed.
    package var error: MetadataError?
    /// The part that was received, to pass to ``UpdateClient/download(_:of:resuming:)`` later.
    package var partial: PartialFile?
    /// The delay that the server requested before the next request.
    package var retryAfter: Duration?
}
