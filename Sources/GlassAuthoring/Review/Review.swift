import GlassSchema

/// The differences between two states of a markets folder.
package struct Review: Sendable {
    /// One of the two states.
    package struct Side: Sendable, Hashable {
        /// Its name: a git reference, a folder, or `the working tree`.
        package var name: String
        /// The commit that the name stands for; nil for files on disk.
        package var commit: String?

        /// Creates a side.
        package init(name: String, commit: String? = nil) {
            self.name = name
            self.commit = commit
        }
    }

    /// The older state.
    package var base: Side
    /// The newer state.
    package var head: Side
    /// The changes, by market, with the most severe first in each.
    package private(set) var changes: [Change]
    /// The ids of the markets on both sides without their own changes, including those that another market's change
    /// affects.
    package var unchanged: [String]
    /// Notices about the review itself, in one sentence each: what was not compared, and why.
    package var notices: [String]

    /// Creates a review.
    package init(base: Side, head: Side, changes: [Change], unchanged: [String] = [], notices: [String] = []) {
        self.base = base
        self.head = head
        self.changes = changes.sorted()
        self.unchanged = unchanged
        self.notices = notices
        makeUnique(\.fingerprint)
        makeUnique(\.messageFingerprint)
    }

    /// Returns the review with other changes, sorted.
    package func replacing(_ changes: [Change]) -> Review {
        Review(base: base, head: head, changes: changes, unchanged: unchanged, notices: notices)
    }

    /// The number of changes of a severity that are not accepted.
    package func count(_ severity: Change.Severity) -> Int {
        changes.count { $0.severity == severity && $0.accepted == nil }
    }

    /// Whether a change that is not accepted has at least a given severity.
    package func reaches(_ severity: Change.Severity?) -> Bool {
        guard let severity else { return false }
        return changes.contains { $0.accepted == nil && $0.severity >= severity }
    }

    /// Readers would merge changes with the same fingerprint, so later ones get a different fingerprint.
    private mutating func makeUnique(_ key: WritableKeyPath<Change, String>) {
        var seen: Set<String> = []
        // Counting continues where it stopped for a fingerprint, because ten thousand changes may have the same one.
        var counts: [String: Int] = [:]
        for index in changes.indices {
            let own = changes[index][keyPath: key]
            var (fingerprint, count) = (own, counts[own, default: 1])
            while !seen.insert(fingerprint).inserted {
                count += 1
                fingerprint = Change.fingerprint([own, "\(count)"])
            }
            counts[own] = count
            changes[index][keyPath: key] = fingerprint
        }
    }
}

extension [Change] {
    /// By market, then with the most severe first, then by rule, key, and text.
    fileprivate func sorted() -> [Change] {
        map { (change: $0, path: $0.path?.description ?? "") }.sorted { left, right in
            let (first, second) = (left.change, right.change)
            if first.market != second.market { return first.market < second.market }
            if first.severity != second.severity { return first.severity > second.severity }
            return (first.rule, left.path, first.summary, first.messageFingerprint, first.fingerprint)
                < (second.rule, right.path, second.summary, second.messageFingerprint, second.fingerprint)
        }.map(\.change)
    }
}
