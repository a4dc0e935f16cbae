package import GlassBase
package import GlassSchema

extension Market {
    /// The maximum number of situations in which a market is examined, besides its own.
    package static let maximumWitnesses = 16

    /// Situations that show values which a market does not have in its own situation.
    package struct Witnesses: Sendable {
        /// The attributes that each situation needs, including those that were given.
        package fileprivate(set) var contexts: [MarketContext] = []
        /// Whether every value occurs in one of them, or in the market's own situation.
        package fileprivate(set) var isComplete = true
    }

    /// Situations such that each value of a key occurs in one of them, or in the market's own situation. There are none
    /// for a market without conditions.
    ///
    /// - Parameters:
    ///   - roots: The keys that matter, with those below and above them.
    ///   - fixed: Attributes that every situation keeps.
    package func witnesses(
        of roots: [ConfigurationPath] = [ConfigurationPath()], keeping fixed: MarketContext = MarketContext(),
        budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> Witnesses {
        var witnesses = Witnesses()
        guard dependsOnSituation, let situations = origin.situations else { return witnesses }
        // A check reports conditions that exceed a limit.
        guard let varied = try VariedMarket(situations, budget: budget) else {
            witnesses.isComplete = false
            return witnesses
        }
        var complete = [situation.live]
        for path in varied.variedPaths {
            let matters = roots.contains {
                path.elements.starts(with: $0.elements) || $0.elements.starts(with: path.elements)
            }
            guard matters else { continue }
            let alternatives = try varied.alternatives(at: path, budget: budget)
            func value(in context: MarketContext) -> ConfigurationValue? {
                alternatives.first { $0.condition.holds(in: context) }?.node?.value
            }
            var shown = complete.map { value(in: $0) }
            for alternative in alternatives where !shown.contains(alternative.node?.value) {
                try budget.spend(1 + shown.count, on: .comparing)
                var context = given.live
                context.values.merge(alternative.context.values) { $1 }
                context.values.merge(fixed.values) { $1 }
                let whole = situations.completed(context)
                // With the attributes that were given, no situation may have the value.
                guard value(in: whole) == alternative.node?.value else { continue }
                guard witnesses.contexts.count < Self.maximumWitnesses else {
                    witnesses.isComplete = false
                    return witnesses
                }
                witnesses.contexts.append(context)
                complete.append(whole)
                shown.append(value(in: whole))
            }
        }
        return witnesses
    }
}
