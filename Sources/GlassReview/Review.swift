import GlassSchema

/// What lies between two states of a markets folder.
package struct Review: Sendable {
    /// One of the two states.
    package struct Side: Sendable, Hashable {
        /// How it was named: a git reference, a folder, or `the working tree`.
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
    /// What changed: by market, in each the worst first.
    package private(set) var changes: [Change]
    /// The markets of both sides without a change of their own, by id; those that a change of another one reaches are
    /// among them.
    package var unchanged: [String]
    /// What a reader should know about the review itself, each a sentence: what was not compared, and why.
    package var notices: [String]

    /// Creates a review.
    package init(base: Side, head: Side, changes: [Change], unchanged: [String] = [], notices: [String] = []) {
        self.base = base
        self.head = head
        self.changes = changes.sorted()
        self.unchanged = unchanged
        self.notices = notices
        makeUnique(\.fingerprint)
        makeUnique(\.formerFingerprint)
    }

    /// The same review with other changes in the place of its own, sorted.
    package func replacing(_ changes: [Change]) -> Review {
        Review(base: base, head: head, changes: changes, unchanged: unchanged, notices: notices)
    }

    /// How many changes of a severity nobody has accepted.
    package func count(_ severity: Change.Severity) -> Int {
        changes.count { $0.severity == severity && $0.accepted == nil }
    }

    /// Whether a change that nobody has accepted is at least that bad.
    package func reaches(_ severity: Change.Severity?) -> Bool {
        guard let severity else { return false }
        return changes.contains { $0.accepted == nil && $0.severity >= severity }
    }

    /// Two changes with one fingerprint would be merged by those who read them, so a later one gets another.
    private mutating func makeUnique(_ key: WritableKeyPath<Change, String>) {
        var seen: Set<String> = []
        // What was tried for a fingerprint is not tried again: ten thousand changes may have the same one.
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
    /// By market, in each the worst first, then by rule, key and text.
    fileprivate func sorted() -> [Change] {
        map { (change: $0, path: $0.path?.description ?? "") }.sorted { left, right in
            let (first, second) = (left.change, right.change)
            if first.market != second.market { return first.market < second.market }
            if first.severity != second.severity { return first.severity > second.severity }
            return (first.rule, left.path, first.summary, first.formerFingerprint, first.fingerprint)
                < (second.rule, right.path, second.summary, second.formerFingerprint, second.fingerprint)
        }.map(\.change)
    }
}
