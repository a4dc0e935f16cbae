import GlassBase

/// A routable whose links differ.
package struct LinkDifference: Sendable {
    /// The links of a routable in one market.
    package struct Side: Sendable, Equatable {
        /// The links that open it, in the market's first scheme, as patterns.
        package let links: [String]
        /// The same links without a scheme. These are compared, because each market has its own scheme.
        package let patterns: [String]
        /// The preconditions that its links wait for: `all`, `nothing`, or names.
        package let waitsFor: String
    }

    /// The routable's id.
    package let routable: String
    /// The links in each market, in the order of the labels; nil if no link opens the routable.
    package let sides: [Side?]

    /// Whether the markets that have it differ in the preconditions of its links.
    package var waitsDiffer: Bool { Set(sides.compactMap { $0?.waitsFor }).count > 1 }

    /// The routables that differ between markets.
    static func all(
        in markets: [ComparedMarket], budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [LinkDifference] {
        var found: [LinkDifference] = []
        for id in Set(markets.flatMap(\.links.keys)).sorted() {
            let sides = markets.map { $0.links[id] }
            try budget.spend(sides.reduce(sides.count) { $0 + 4 * ($1?.patterns.count ?? 0) }, on: .comparing)
            let forms = sides.map { side in side.map { $0.patterns.sorted() + [$0.waitsFor] } }
            guard forms.dropFirst().contains(where: { $0 != forms[0] }) else { continue }
            found.append(LinkDifference(routable: id, sides: sides))
        }
        return found
    }
}
