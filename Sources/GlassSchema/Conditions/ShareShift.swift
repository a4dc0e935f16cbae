/// The units that a change of shares moves from one variant to another.
///
/// Shares lie side by side in the order in which they are written, so that a share which grows takes units from the
/// next one.
package struct ShareShift: Sendable, Hashable {
    /// The variant before, by its position in the list; nil if the units had none.
    package var before: Int?
    /// The variant after; nil if the units have none.
    package var after: Int?
    /// The share of all units that moves, in thousandths of a percent.
    package var thousandths: Int

    /// The moves between two lists of shares, each in thousandths of a percent. What is missing to 100 percent has no
    /// variant. Sorted by the variant before, then after; units without a variant come first.
    ///
    /// - Parameters:
    ///   - before: The shares before, in order.
    ///   - after: The shares after, in order.
    package static func moves(from before: [Int], to after: [Int]) -> [ShareShift] {
        var moved: [[Int?]: Int] = [:]
        var (position, olds, news) = (0, Self.ends(of: before)[...], Self.ends(of: after)[...])
        while let old = olds.first, let new = news.first {
            let end = min(old.end, new.end)
            if old.variant != new.variant { moved[[old.variant, new.variant], default: 0] += end - position }
            position = end
            if old.end == end { olds.removeFirst() }
            if new.end == end { news.removeFirst() }
        }
        return moved.filter { $0.value > 0 }.map { ShareShift(before: $0[0], after: $0[1], thousandths: $1) }
            .sorted { ($0.before ?? -1, $0.after ?? -1) < ($1.before ?? -1, $1.after ?? -1) }
    }

    /// Where each share ends, up to 100 percent.
    private static func ends(of shares: [Int]) -> [(variant: Int?, end: Int)] {
        var (ends, end) = ([(variant: Int?, end: Int)](), 0)
        for (index, share) in shares.enumerated() where share > 0 {
            end = min(end + share, 100_000)
            ends.append((index, end))
        }
        return ends + [(nil, 100_000)]
    }
}
