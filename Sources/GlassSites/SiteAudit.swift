/// The results of an audit: how well the files match the routes, with evidence.
///
/// The audit derives links from every route (matches in several spellings, and near misses: wrong values, one segment
/// more or less, other letter case, empty segments, changed queries), matches them against the markets' tables and the
/// generated rules, and compares the results. The coverage of a claim follows from these links. A difference that no
/// known rule of the format explains is a contradiction, and there must be none.
package struct SiteAudit: Sendable, Equatable {
    /// One claim for each market, route and target, in that order.
    package let claims: [RouteClaim]

    /// The number of links that were checked, over all hosts and targets.
    package let linksChecked: Int

    /// The links for which a file and the table differ without a rule that explains it; normally empty.
    package let contradictions: [String]
}
