import GlassBase

/// One entry of `components` or `paths` in an `apple-app-site-association` file that somebody else wrote.
///
/// Beside what ``SiteComponent`` writes it has a fragment, a pattern for the query as a whole, and letter case and
/// escapes as the file says. Of a query item that a link has several times every one must match, and one that it has not
/// counts as empty.
struct ServedPattern: Sendable {
    enum Query: Sendable {
        case any
        case whole(SitePattern)
        case items([(name: String, value: SitePattern)])
    }

    var path: SitePattern?
    var query: Query = .any
    var fragment: SitePattern?
    var isExcluded = false
    var isCaseSensitive = true
    /// Whether the patterns are compared with the link as written, escapes included.
    var isPercentEncoded = true
    /// How many tokens its patterns have.
    var size = 1

    /// Whether a link without a fragment matches.
    func matches(path: String, query: String?) -> Bool {
        if let pattern = self.path, !pattern.matches(text(path.isEmpty ? "/" : path)) { return false }
        if let fragment, !fragment.matches("") { return false }
        switch self.query {
        case .any: return true
        case .whole(let pattern): return pattern.matches(text(query ?? ""))
        case .items(let wanted):
            let items = SiteComponent.items(of: query ?? "")
            return wanted.allSatisfy { name, pattern in
                let values = items.filter { SitePattern.isEqual(text($0.name), name, isCaseSensitive: isCaseSensitive) }
                return values.isEmpty ? pattern.matches("") : values.allSatisfy { pattern.matches(text($0.value)) }
            }
        }
    }

    private func text(_ text: String) -> String { isPercentEncoded ? text : SiteText.decoded(text) }
}
