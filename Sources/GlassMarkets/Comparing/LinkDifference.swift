/// A routable whose links differ.
public struct LinkDifference: Sendable {
    /// What a market has for a routable.
    public struct Side: Sendable, Equatable {
        /// The links that open it, in the market's first scheme, as patterns.
        public let links: [String]
        /// The same without scheme: this is what is compared, because each market has a scheme of its own.
        public let patterns: [String]
        /// What its links wait for: `all`, `nothing`, or names.
        public let waitsFor: String
    }

    /// The routable's id.
    public let routable: String
    /// What each market has, in the order of the labels; nil where no link opens it.
    public let sides: [Side?]

    /// Whether the markets that have it differ in what its links wait for.
    public var waitsDiffer: Bool { Set(sides.compactMap { $0?.waitsFor }).count > 1 }

    /// The routables that differ between markets.
    static func all(in markets: [ComparedMarket]) -> [LinkDifference] {
        Set(markets.flatMap(\.links.keys)).sorted().compactMap { id in
            let sides = markets.map { $0.links[id] }
            let forms = sides.map { side in side.map { $0.patterns.sorted() + [$0.waitsFor] } }
            guard forms.dropFirst().contains(where: { $0 != forms[0] }) else { return nil }
            return LinkDifference(routable: id, sides: sides)
        }
    }
}
