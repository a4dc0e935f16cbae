/// Finds the name that somebody probably meant.
package enum Suggestion {
    /// The longest name that is compared, in bytes.
    package static let longestName = 63
    /// How many candidates are compared at most.
    package static let mostCandidates = 1000

    /// The candidate nearest to a misspelt name.
    ///
    /// Letters are compared without case, and a swap of neighbours counts as one change (optimal string alignment).
    ///
    /// - Parameters:
    ///   - name: What was written.
    ///   - candidates: What could have been meant; the first ``mostCandidates`` of them are looked at.
    /// - Returns: The nearest candidate, or nil when none is within a third of the name's length, or when the name has
    ///   more than ``longestName`` bytes. Of equally near ones the first in byte order. O(candidates × length²), both
    ///   of which are capped: nobody mistypes a longer name than a declaration has.
    package static func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
        guard name.utf8.count <= longestName else { return nil }
        let written = Array(name.lowercased().unicodeScalars)
        let limit = Swift.max(1, written.count / 3)
        var best: (distance: Int, name: String)?
        for candidate in candidates.prefix(mostCandidates)
        where candidate != name && candidate.utf8.count <= longestName {
            guard let distance = distance(written, Array(candidate.lowercased().unicodeScalars), limit: limit)
            else { continue }
            if let current = best, (current.distance, current.name) <= (distance, candidate) { continue }
            best = (distance, candidate)
        }
        return best?.name
    }

    /// How many insertions, deletions, replacements and neighbour swaps lie between two texts.
    ///
    /// - Parameters:
    ///   - left: The letters of one text, folded as the caller compares them.
    ///   - right: The letters of the other.
    ///   - limit: The distance from which on nobody cares.
    /// - Returns: The distance; nil when it is more than `limit`, or when a text is longer than ``longestName``, so that
    ///   no call is more than some thousand steps.
    package static func distance<Letter: Equatable>(_ left: [Letter], _ right: [Letter], limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit, max(left.count, right.count) <= longestName else { return nil }
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
            (beforeLast, last) = (last, current)
        }
        return last[right.count] <= limit ? last[right.count] : nil
    }
}
