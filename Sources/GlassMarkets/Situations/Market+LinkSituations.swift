package import GlassBase
import GlassDeepLinking
package import GlassSchema

/// A situation in which a market opens a link that it does not open in its own.
package struct LinkSituation: Sendable, Equatable {
    /// The attributes, including those that the market was given.
    package let context: MarketContext
    /// The time from which the market opens the link; nil if that does not only depend on the date.
    package var from: ContextValue?
    /// The time from which the market no longer opens the link; nil if it is not known.
    package var until: ContextValue?

    /// Creates a situation.
    package init(context: MarketContext, from: ContextValue? = nil) {
        (self.context, self.from) = (context, from)
    }
}

extension Market {
    /// The maximum number of situations that are reported for a link.
    private static let maximumLinkSituations = 3

    /// Situations in which the market opens a link that it does not open in its own: first the next time at which it
    /// does, then others.
    ///
    /// - Parameter opens: Tries the link in the market in another situation.
    package func situations(
        budget: WorkBudget, opening opens: (Market) -> Bool
    ) throws(WorkBudget.Exceeded) -> [LinkSituation] {
        guard dependsOnSituation else { return [] }
        // A check reports what is wrong with a market in a situation.
        func isOpened(in context: MarketContext) -> Bool { (try? with(context)).map(opens) == true }
        var found = ["date", "localDate"].compactMap { nextSituation(varying: $0, isOpened) }
        let keys: [ConfigurationPath] = ["routables", "deepLinking"]
        for witness in try witnesses(of: keys, budget: budget).contexts {
            guard found.count < Self.maximumLinkSituations else { break }
            guard isOpened(in: witness) else { continue }
            // Only what is needed.
            var context = witness
            for name in context.values.keys.sorted() where given.live.values[name] != context.values[name] {
                var smaller = context
                smaller[name] = given.live[name]
                if isOpened(in: smaller) { context = smaller }
            }
            // A date that makes the difference has been found, unless it is over.
            let differing = context.values.filter { given.live.values[$0.key] != $0.value }
            if !found.isEmpty, Set(differing.keys).isSubset(of: ["date", "localDate"]) { continue }
            if found.contains(where: { $0.context == context }) { continue }
            found.append(LinkSituation(context: context))
        }
        return found
    }

    /// The next time at which the market opens a link, if nothing but the date, or the clock of the device, changes.
    private func nextSituation(varying name: String, _ isOpened: (MarketContext) -> Bool) -> LinkSituation? {
        guard let situations = origin.situations, var time = situation.live[name] else { return nil }
        var found: LinkSituation?
        for _ in 0..<Self.maximumWitnesses {
            guard let next = situations.nextChange(after: time) else { break }
            time = next
            var context = given.live
            context[name] = next
            let isOpened = isOpened(context)
            if isOpened, found == nil { found = LinkSituation(context: context, from: next) }
            if !isOpened, found != nil {
                found?.until = next
                break
            }
        }
        return found
    }
}
