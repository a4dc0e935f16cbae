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
        thousandths(from: before.enumerated().map { ($0, $1) }, to: after.enumerated().map { ($0, $1) })
            .map { ShareShift(before: $0[0], after: $0[1], thousandths: $1) }
            .sorted { ($0.before ?? -1, $0.after ?? -1) < ($1.before ?? -1, $1.after ?? -1) }
    }

    /// The units that move between two lists of shares whose variants may be in another order, in thousandths of a
    /// percent, by the variant before and the one after.
    package static func thousandths<Variant: Hashable>(
        from before: [(variant: Variant?, share: Int)], to after: [(variant: Variant?, share: Int)]
    ) -> [[Variant?]: Int] {
        var moved: [[Variant?]: Int] = [:]
        var (position, olds, news) = (0, ends(of: before)[...], ends(of: after)[...])
        while let old = olds.first, let new = news.first {
            let end = min(old.end, new.end)
            if old.variant != new.variant, end > position {
                moved[[old.variant, new.variant], default: 0] += end - position
            }
            position = end
            if old.end == end { olds.removeFirst() }
            if new.end == end { news.removeFirst() }
        }
        return moved
    }

    /// Where each share ends, up to 100 percent.
    private static func ends<Variant>(
        of shares: [(variant: Variant?, share: Int)]
    ) -> [(variant: Variant?, end: Int)] {
        var (ends, end) = ([(variant: Variant?, end: Int)](), 0)
        for (variant, share) in shares where share > 0 {
            end = min(end + share, 100_000)
            ends.append((variant, end))
        }
        return ends + [(nil, 100_000)]
    }
}
