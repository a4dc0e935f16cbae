package import GlassBase
package import GlassSchema

/// The differences between markets that only another situation shows.
package struct SituationDifference: Sendable {
    /// The situation, with the attributes that matter.
    package let context: MarketContext
    /// The keys and links that differ there, but not in the situation of the markets.
    package let difference: MarketDifference

    /// The maximum number of situations that are compared: each one builds all markets again.
    private static let maximumSituations = 64
    /// The maximum number of situations that are compared for one key.
    private static let maximumOfAKey = 4

    /// Finds the differences that a comparison of markets in one situation does not show.
    ///
    /// Each situation is one that some pair of alternatives has; what it shows is compared like the markets themselves.
    ///
    /// - Parameters:
    ///   - markets: The markets, in the order of the difference's labels.
    ///   - known: Their difference in their own situation.
    /// - Throws: ``MarketError`` if a market has an error in a situation, which only an unchecked market can have.
    package static func all(
        of markets: [Market], beside known: MarketDifference, budget: WorkBudget
    ) throws -> [SituationDifference] {
        var keys = Set(known.keys.map(\.path))
        var routables = Set(known.links.map(\.routable))
        var differences: [SituationDifference] = []
        for context in try situations(of: markets, budget: budget) {
            let all = try markets.map { try $0.with($0.acceptable(context)) }
            let difference = try MarketDifference(all, like: known, budget: budget).keeping(
                keys: { !keys.contains($0.path) }, links: { !routables.contains($0.routable) })
            guard !difference.isEmpty else { continue }
            keys.formUnion(difference.keys.map(\.path))
            routables.formUnion(difference.links.map(\.routable))
            differences.append(SituationDifference(context: context, difference: difference))
        }
        return differences
    }

    /// Situations in which the files of the first market and of another one say something else.
    private static func situations(
        of markets: [Market], budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [MarketContext] {
        let situations = markets.compactMap(\.origin.situations)
        guard !situations.isEmpty, let space = SituationSpace(joining: situations) else { return [] }
        var varied: [VariedMarket] = []
        for market in markets { varied.append(try VariedMarket(market, space: space, budget: budget)) }
        var found: [MarketContext] = []
        for path in Set(varied.flatMap(\.variedPaths)).sorted(by: { $0.description < $1.description }) {
            var regions: [[VariedMarket.Region]] = []
            for market in varied { regions.append(try market.regions(at: path)) }
            let walk = SituationWalk(space: space, budget: budget)
            var ofKey = 0
            pairs: for other in regions.dropFirst() {
                for (one, two) in regions[0].flatMap({ one in other.map { (one, $0) } })
                where one.node?.value != two.node?.value {
                    guard let box = try walk.witness(of: walk.meet(one.region, two.region)) else { continue }
                    let context = space.context(in: box)
                    if !found.contains(context) { found.append(context) }
                    ofKey += 1
                    guard found.count < maximumSituations else { return found }
                    if ofKey == maximumOfAKey { break pairs }
                }
            }
        }
        return found
    }
}

extension Market {
    /// The attributes of a context that the market has, without a locale that it does not offer.
    fileprivate func acceptable(_ context: MarketContext) -> MarketContext {
        var accepted = MarketContext()
        for (name, value) in context.values {
            guard let attribute = attributes.first(where: { $0.name == name }) else { continue }
            if case (.locale(let offered), .text(let locale)) = (attribute.type, value), !offered.contains(locale) {
                continue
            }
            accepted[name] = value
        }
        return accepted
    }
}
