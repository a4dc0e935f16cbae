/// Finds the intended name for a misspelled one.
package enum Suggestion {
    /// The maximum length of a name to compare, in bytes.
    package static let maximumNameLength = 63
    /// The maximum number of candidates to compare.
    package static let maximumCandidates = 1000

    /// The candidate nearest to a misspelled name.
    ///
    /// Ignores case, and counts a swap of adjacent letters as one change (optimal string alignment).
    package static func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
        do {
            return try nearest(to: name, in: candidates, budget: .unlimited)
        } catch {
            return nil  // not reached: the budget has no limits
        }
    }

    /// Like ``nearest(to:in:)``, but charges one step for each 16 cells of the edit-distance table.
    package static func nearest(
        to name: String, in candidates: some Sequence<String>, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> String? {
        try match(for: name, in: candidates, budget: budget)?.name
    }

    /// A near candidate.
    package struct Match: Sendable, Hashable {
        /// The candidate.
        package let name: String
        /// Whether it can be used without asking: no other candidate is as near, and at most a quarter of the letters
        /// are wrong.
        package let isUnambiguous: Bool
    }

    /// The candidate nearest to a misspelled name, and whether it can be used without asking.
    package static func match(
        for name: String, in candidates: some Sequence<String>, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> Match? {
        guard name.utf8.count <= maximumNameLength else { return nil }
        let written = Array(name.lowercased().unicodeScalars)
        let limit = Swift.max(1, written.count / 3)
        var best: (distance: Int, name: String)?
        var isOnly = true
        for candidate in candidates.prefix(maximumCandidates) {
            try budget.spend(on: .suggesting)
            // In UTF-8 a scalar has up to four bytes, so a candidate of any other length cannot be near.
            let isNear = (written.count - limit...4 * (written.count + limit)).contains(candidate.utf8.count)
            guard isNear, candidate != name, candidate.utf8.count <= maximumNameLength else { continue }
            let other = Array(candidate.lowercased().unicodeScalars)
            guard abs(written.count - other.count) <= limit else { continue }
            try budget.spend(written.count * other.count / 16, on: .suggesting)
            guard let distance = distance(written, other, limit: limit) else { continue }
            if let current = best {
                if distance < current.distance { isOnly = true }
                if distance == current.distance, candidate != current.name { isOnly = false }
                if (current.distance, current.name) <= (distance, candidate) { continue }
            }
            best = (distance, candidate)
        }
        return best.map {
            Match(name: $0.name, isUnambiguous: isOnly && $0.distance <= Swift.max(1, written.count / 4))
        }
    }

    /// The number of insertions, deletions, replacements and swaps of adjacent letters between two texts; nil if it
    /// exceeds the limit or a text is too long.
    package static func distance<Letter: Equatable>(_ left: [Letter], _ right: [Letter], limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit, max(left.count, right.count) <= maximumNameLength else {
            return nil
        }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 1..<(left.count + 1) {
            var current = [row] + Array(repeating: 0, count: right.count)
            for column in 1..<(right.count + 1) {
                let change = left[row - 1] == right[column - 1] ? 0 : 1
                current[column] = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + change)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    current[column] = min(current[column], beforeLast[column - 2] + 1)
                }
            }
            // Each later row builds on this row or the one before, so its values cannot be lower.
            if min(current.min() ?? 0, last.min() ?? 0) > limit { return nil }
            (beforeLast, last) = (last, current)
        }
        return last[right.count] <= limit ? last[right.count] : nil
    }
}
