/// Finds the name that somebody probably meant.
public enum Suggestion {
    /// The candidate nearest to a misspelt name.
    ///
    /// Letters are compared without case, and a swap of neighbours counts as one change (optimal string alignment).
    ///
    /// - Parameters:
    ///   - name: What was written.
    ///   - candidates: What could have been meant.
    /// - Returns: The nearest candidate, or nil when none is within a third of the name's length. Of equally near ones
    ///   the first in byte order. O(candidates × length²).
    public static func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
        let written = Array(name.lowercased().unicodeScalars)
        let limit = Swift.max(1, written.count / 3)
        var best: (distance: Int, name: String)?
        for candidate in candidates where candidate != name {
            let distance = editDistance(written, Array(candidate.lowercased().unicodeScalars), limit: limit)
            guard let distance else { continue }
            if let current = best, (current.distance, current.name) <= (distance, candidate) { continue }
            best = (distance, candidate)
        }
        return best?.name
    }

    /// The number of insertions, deletions, replacements and neighbour swaps between two texts.
    ///
    /// - Returns: Nil when it is more than `limit`.
    private static func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
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
