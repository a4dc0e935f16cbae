/// How well the files describe the routes, and the proof of it.
///
/// The proof takes links made from every route (hits in several spellings, and near misses: wrong values, one segment
/// more or less, other letter case, empty segments, changed queries), asks the markets' tables and the evaluators of the
/// generated rules, and compares. A claim is labelled by what those links show; a difference that no known rule of the
/// format explains is a contradiction, and there must be none.
package struct SiteAudit: Sendable, Equatable {
    /// One claim for each market, route and target, in that order.
    package let claims: [RouteClaim]

    /// How many links were asked, over all hosts and targets.
    package let linksChecked: Int

    /// Links on which a file and the table differ without a rule that explains it; empty when all is well.
    package let contradictions: [String]
}
