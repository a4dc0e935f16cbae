import GlassBase
import GlassDeepLinking

/// Converts routes to the dynamic rules of an `assetlinks.json` file, which can express what a manifest cannot: that a
/// route requires a query item.
///
/// Allowing is always safe, because the manifest still decides; only an exclusion can lose links. So a path is excluded
/// without its query only if it is a fixed string that no route without a query matches, and only after entries for
/// every query that a route requires there. The exclusion of a wildcard would affect links of other routes in other
/// letter cases, and how strings with escapes are compared is undocumented: those routes are left to the manifest.
struct AndroidDynamicBuilder {
    /// With more paths, the entries would be as long as the file that they narrow.
    private static let maximumPaths = 256

    /// The entries for the routes of one app on one host, except for the paths that stay in the browser.
    ///
    /// Those come first, as fixed strings and as all strings below one, so that only they are excluded: in the letter
    /// case in which they are written.
    func rules(
        for patterns: [RoutePattern], keeping browser: [BrowserPath] = [], budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [AndroidDynamicRule] {
        let variants = patterns.flatMap(SiteVariant.variants)
        let needy = variants.filter { !$0.query.isEmpty && !$0.isCatchAll }
        var rules = Rules()
        for path in browser where path.segments.allSatisfy(Self.isPlain) {
            let below = path.includesBelow ? ["/" + (path.segments + ["*"]).joined(separator: "/")] : []
            rules.add(Self.paths(path.segments) + below, isExcluded: true)
        }
        let keepsSome = !rules.list.isEmpty
        var excluded: [[String]] = []
        for texts in needy.flatMap(Self.texts) where !texts.contains(Self.anySegment) {
            try budget.spend(4 + variants.count, on: .exporting)
            let others = variants.filter { Self.mayTake($0, texts) }
            guard texts.allSatisfy(Self.isPlain), others.allSatisfy({ !$0.query.isEmpty }) else { continue }
            for other in others { rules.add(Self.paths(texts), other.query) }
            excluded.append(texts)
        }
        if excluded.count > Self.maximumPaths { excluded = [] }
        guard keepsSome || !excluded.isEmpty else { return [] }
        for texts in excluded { rules.add(Self.paths(texts), isExcluded: true) }
        rules.add(["*"])
        try budget.hold(bytes: rules.list.count * 128, for: .exporting)
        return rules.list
    }

    /// Whether a variant may match a path, regardless of letter case and the types of its parameters.
    private static func mayTake(_ variant: SiteVariant, _ texts: [String]) -> Bool {
        guard variant.isCatchAll ? variant.segments.count <= texts.count : variant.segments.count == texts.count else {
            return false
        }
        return zip(variant.segments, texts).allSatisfy { segment, text in
            guard case .literal(let literal) = segment else { return true }
            return literal.utf8.asciiFolded == text.utf8.asciiFolded
        }
    }

    /// Distinct entries, in the order in which they were first added.
    private struct Rules {
        private(set) var list: [AndroidDynamicRule] = []
        private var known: Set<AndroidDynamicRule> = []

        mutating func add(_ paths: [String], _ query: [String] = [], isExcluded: Bool = false) {
            for path in paths {
                let items = Dictionary(
                    query.map { ($0, anySegment) }, uniquingKeysWith: { first, _ in first })
                let rule = AndroidDynamicRule(path: path, query: items, isExcluded: isExcluded)
                if known.insert(rule).inserted { list.append(rule) }
            }
        }
    }

    private static let anySegment = "?*"

    /// The path of the segments, with and without a trailing slash.
    private static func paths(_ texts: [String]) -> [String] {
        let path = "/" + texts.joined(separator: "/")
        return texts.isEmpty ? [path] : [path, path + "/"]
    }

    /// The segments as patterns. A list yields one row per word, unless there are too many.
    private static func texts(_ variant: SiteVariant) -> [[String]] {
        variant.segments.reduce([[]]) { rows, segment in
            switch segment {
            case .literal(let text): return rows.map { $0 + [text] }
            case .parameter, .affixed, .catchAll:
                guard case .oneOf(let words)? = segment.type,
                    words.count * rows.count <= AndroidRuleBuilder.maximumRulesForLists
                else { return rows.map { $0 + [anySegment] } }
                return rows.flatMap { row in words.map { row + [segment.text(of: $0)] } }
            }
        }
    }

    /// Whether a string matches only itself as a pattern, whichever way Android compares paths.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "-._~".utf8.contains($0) }
    }
}
