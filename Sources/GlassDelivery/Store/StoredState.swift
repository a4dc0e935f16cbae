/// What a store knows besides metadata and markets: one small file that is replaced as a whole.
package struct StoredState: Sendable, Equatable {
    /// Refreshes that failed since the last one that succeeded.
    package struct Failure: Sendable, Equatable {
        /// When the first of them failed; where the last ones were refusals, the first of those.
        package var since: UpdateTime
        /// How many there were.
        package var count: Int
        /// How many of them, in a row up to the last one, were answers that must not be used; otherwise there was no answer.
        package var refusals: Int
        /// What the last one said.
        package var text: String

        /// Describes failures.
        package init(since: UpdateTime, count: Int = 0, refusals: Int = 0, text: String = "") {
            self.since = since
            self.count = count
            self.refusals = refusals
            self.text = text
        }

        /// Counts another one.
        package mutating func add(_ error: MetadataError, at time: UpdateTime) {
            count += 1
            text = "\(error)"
            guard error.rule != .network else {
                // What was refused before says nothing of the server as it is now.
                refusals = 0
                return
            }
            // Being refused begins with the first refusal, not with the train in a tunnel before it.
            if refusals == 0 { since = time }
            refusals += 1
        }
    }

    /// What a server called a file, for the next conditional request.
    package struct Tag: Sendable, Equatable {
        /// The header `ETag`.
        package var value: String
        /// The SHA-256 digest of the file: the tag means nothing for another one.
        package var digest: String

        /// Describes a tag.
        package init(value: String, digest: String) {
            self.value = value
            self.digest = digest
        }
    }

    /// Counts the changes of the file.
    package var generation = 0
    /// The random name of this installation, by which shares of installations are chosen. It goes with the app.
    package let install: String
    /// The version of the app that wrote last.
    package var app = ""
    /// The versions of the stored metadata, by role.
    package var versions: [String: Int] = [:]
    /// When the last refresh succeeded; nil when none did.
    package var verified: UpdateTime?
    /// When the timestamp of the stored metadata expires.
    package var validUntil: UpdateTime?
    /// When the last refresh ended, however it ended.
    package var checked: UpdateTime?
    /// When the next refresh is due.
    package var nextCheck: UpdateTime?
    /// What failed since the last refresh that succeeded.
    package var failure: Failure?
    /// What the server called the stored timestamp.
    package var timestampTag: Tag?
    /// The digests that the last good metadata revoked.
    package var revoked: Set<String> = []
    /// The markets, by id.
    package var markets: [String: MarketHealth] = [:]
    /// Why the newest version of a market is not for this app, by id.
    package var incompatible: [String: String] = [:]

    /// A store that has nothing yet.
    package init(install: String) {
        self.install = install
    }

    /// Where objects are referred to from, all markets together.
    package var digests: Set<String> { markets.values.reduce(into: []) { $0.formUnion($1.digests) } }
}
