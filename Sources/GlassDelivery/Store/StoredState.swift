/// The state of a store in addition to metadata and markets: one small file that is replaced as a whole.
package struct StoredState: Sendable, Equatable {
    /// The failed refreshes since the last successful one.
    package struct Failure: Sendable, Equatable {
        /// The time of the first failure, or of the first refusal if the last failures were refusals.
        package var since: UpdateTime
        /// The number of failures.
        package var count: Int
        /// The number of consecutive refusals up to the last failure: responses that were rejected, rather than
        /// missing.
        package var refusals: Int
        /// The message of the last failure.
        package var text: String

        /// Creates a record of failures.
        package init(since: UpdateTime, count: Int = 0, refusals: Int = 0, text: String = "") {
            self.since = since
            self.count = count
            self.refusals = refusals
            self.text = text
        }

        /// Adds a failure.
        package mutating func add(_ error: MetadataError, at time: UpdateTime) {
            count += 1
            text = "\(error)"
            guard error.rule != .network else {
                // Earlier refusals say nothing about the current responses of the server.
                refusals = 0
                return
            }
            // The period of refusals starts at the first refusal, not at an earlier loss of connectivity.
            if refusals == 0 { since = time }
            refusals += 1
        }
    }

    /// A server's tag of a file, for the next conditional request.
    package struct Tag: Sendable, Equatable {
        /// The header `ETag`.
        package var value: String
        /// The SHA-256 digest of the file. The tag is meaningless for any other file.
        package var digest: String

        /// Describes a tag.
        package init(value: String, digest: String) {
            self.value = value
            self.digest = digest
        }
    }

    /// The number of changes of the file.
    package var generation = 0
    /// The random identifier of this installation, which assigns it to rollouts. It is deleted with the app.
    package let install: String
    /// The version of the app that last wrote the file.
    package var app = ""
    /// The versions of the stored metadata, by role.
    package var versions: [String: Int] = [:]
    /// The time of the last successful refresh, if any.
    package var verified: UpdateTime?
    /// The time at which the stored timestamp metadata expires.
    package var validUntil: UpdateTime?
    /// The time at which the last refresh ended, successfully or not.
    package var checked: UpdateTime?
    /// The time at which the next refresh is due.
    package var nextCheck: UpdateTime?
    /// The failures since the last successful refresh.
    package var failure: Failure?
    /// The server's tag of the stored timestamp.
    package var timestampTag: Tag?
    /// The digests that the last valid metadata revoked.
    package var revoked: Set<String> = []
    /// The markets, by id.
    package var markets: [String: MarketHealth] = [:]
    /// The reason why the newest version of a market is incompatible with this app, by id.
    package var incompatible: [String: String] = [:]

    /// Creates the state of an empty store.
    package init(install: String) {
        self.install = install
    }

    /// The digests of all files that the markets refer to.
    package var digests: Set<String> { markets.values.reduce(into: []) { $0.formUnion($1.digests) } }
}
