/// Finds the name that somebody probably meant.
package enum Suggestion {
    /// The longest name that is compared, in bytes.
    package static let maximumNameLength = 63
    /// How many candidates are compared at most.
    package static let maximumCandidates = 1000

    /// The candidate nearest to a misspelt name.
    ///
    /// Letters are compared without case, and a swap of neighbours counts as one change (optimal string alignment).
    package static func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
        do {
            return try nearest(to: name, in: candidates, budget: .unlimited)
        } catch {
            return nil  // it has no limit
        }
    }

    /// The same, with each sixteen cells of the tables of distances as a step.
    package static func nearest(
        to name: String, in candidates: some Sequence<String>, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> String? {
        try match(for: name, in: candidates, budget: budget)?.name
    }

    /// A candidate that is near.
    package struct Match: Sendable, Hashable {
        /// The candidate.
        package let name: String
        /// Whether it can be taken without asking: no other candidate is as near, and a quarter of the letters at most
        /// are wrong.
        package let isUnambiguous: Bool
    }

    /// The candidate nearest to a misspelt name, and whether it can be taken without asking.
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
            // In UTF-8 a scalar has up to four bytes: a candidate of another length cannot be near.
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

    /// How many insertions, deletions, replacements and neighbour swaps lie between two texts.
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
            // Each later row builds on this one or the one before it.
            if min(current.min() ?? 0, last.min() ?? 0) > limit { return nil }
            (beforeLast, last) = (last, current)
        }
        return last[right.count] <= limit ? last[right.count] : nil
    }
}
