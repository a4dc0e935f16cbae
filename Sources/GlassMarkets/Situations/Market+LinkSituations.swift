package import GlassBase
import GlassDeepLinking
package import GlassSchema

/// A situation in which a market routes a link that it does not route in its own.
package struct LinkSituation: Sendable, Equatable {
    /// The attributes, including those that the market was given.
    package let context: MarketContext
    /// The time from which the market routes the link; nil if that does not only depend on the date.
    package var from: ContextDate?
    /// The time from which the market no longer routes the link; nil if it is not known.
    package var until: ContextDate?
}

extension Market {
    /// The maximum number of situations that are reported for a link.
    private static let maximumLinkSituations = 3

    /// Situations in which the market routes a link that it does not route in its own: first the next time at which it
    /// does, then others.
    package func situations(routing link: String, budget: WorkBudget) throws(WorkBudget.Exceeded) -> [LinkSituation] {
        guard dependsOnSituation else { return [] }
        var found: [LinkSituation] = []
        if let next = nextSituation(routing: link) { found.append(next) }
        let keys: [ConfigurationPath] = ["routables", "deepLinking"]
        for context in try witnesses(of: keys, budget: budget).contexts {
            guard found.count < Self.maximumLinkSituations else { break }
            // A date that makes the difference has been found, unless it is over.
            let differing = context.values.filter { given.live.values[$0.key] != $0.value }
            if !found.isEmpty, Set(differing.keys).isSubset(of: ["date", "localDate"]) { continue }
            if routes(link, in: context) { found.append(LinkSituation(context: context)) }
        }
        return found
    }

    /// The next time at which the market routes a link, if nothing but the date changes.
    private func nextSituation(routing link: String) -> LinkSituation? {
        guard let situations = origin.situations, case .date(var date)? = situation.live["date"] else { return nil }
        var found: LinkSituation?
        for _ in 0..<Self.maximumWitnesses {
            guard let next = situations.nextChange(after: date, ofFlags: false) else { break }
            date = next
            var context = given.live
            context["date"] = .date(next)
            let isRouted = routes(link, in: context)
            if isRouted, found == nil { found = LinkSituation(context: context, from: next) }
            if !isRouted, found != nil {
                found?.until = next
                break
            }
        }
        return found
    }

    /// Whether the market routes a link in another situation.
    private func routes(_ link: String, in context: MarketContext) -> Bool {
        // A check reports what is wrong with a market in a situation.
        (try? with(context))?.deepLinker.canRoute(deepLink: link) == true
    }
}
