import GlassBase
import GlassDeepLinking

/// The rules of the formats that prevent exact claims.
struct SiteClaimRules {
    struct Rule {
        let label: RouteClaim.Coverage
        /// The changes to a link that demonstrate the rule; empty for any.
        let traits: [SiteSample.Trait]
        let text: String
    }

    /// The rules that may affect the claim of a target for a pattern.
    static func rules(for pattern: RoutePattern, target: SiteTarget, matchesAnyCase: Bool) -> [Rule] {
        switch target {
        case .siteAssociation: association(pattern)
        case .android: android(pattern, matchesAnyCase: matchesAnyCase)
        case .androidDynamic: android(pattern, matchesAnyCase: matchesAnyCase, isNarrowed: true)
        case .urlTypes: []
        }
    }

    private static func association(_ pattern: RoutePattern) -> [Rule] {
        var rules: [Rule] = []
        for case .parameter(_, let type?) in pattern.segments {
            switch type {
            case .uuid, .oneOf: continue
            case .int, .slug, .alnum:
                let text = "patterns cannot repeat a character class, so a parameter of type \(type) is any segment"
                rules.append(Rule(label: .over, traits: [.value, .number], text: text))
            }
        }
        if !pattern.requiredQuery.isEmpty {
            let text = "caseSensitive is false because of the path, and also applies to the names of query items"
            rules.append(Rule(label: .over, traits: [.queryName], text: text))
        }
        if isSpanning(pattern) {
            let text = "* matches slashes, and no exclusion can prevent that before a catch-all"
            rules.append(Rule(label: .over, traits: [.extraSegment], text: text))
        }
        return rules
    }

    /// Whether a fixed segment is between a wildcard and a catch-all.
    private static func isSpanning(_ pattern: RoutePattern) -> Bool {
        guard case .catchAll = pattern.segments.last else { return false }
        var isBehindWildcard = false
        for segment in pattern.segments.dropLast() {
            switch segment {
            case .literal, .parameter(_, .uuid), .parameter(_, .oneOf): if isBehindWildcard { return true }
            case .parameter, .catchAll: isBehindWildcard = true
            }
        }
        return false
    }

    private static func android(
        _ pattern: RoutePattern, matchesAnyCase: Bool, isNarrowed: Bool = false
    ) -> [Rule] {
        var rules: [Rule] = []
        if pattern.segments.contains(where: { $0.isInteger }) {
            let text = "patterns cannot limit an integer to 64 bits"
            rules.append(Rule(label: .over, traits: [.number], text: text))
        }
        if !pattern.requiredQuery.isEmpty {
            // The sample links decide: most routes are narrowed, and then this rule doesn't apply to them.
            let text =
                isNarrowed
                ? "without the query, dynamic rules exclude only a fixed path that no other route matches"
                : "path rules ignore the query"
            rules.append(Rule(label: .over, traits: [.queryMissing, .queryEmpty, .queryName], text: text))
        }
        if case .catchAll = pattern.segments.last {
            let text = "path rules cannot exclude empty segments from a catch-all"
            rules.append(Rule(label: .over, traits: [.emptySegment], text: text))
        }
        var wordCount = 1
        for case .parameter(_, .oneOf(let words)) in pattern.segments {
            wordCount *= words.count
            if wordCount > AndroidRuleBuilder.maximumRulesForLists {
                let text =
                    "lists need more than \(AndroidRuleBuilder.maximumRulesForLists) rules, so one is any segment"
                rules.append(Rule(label: .over, traits: [.value], text: text))
            }
        }
        if !matchesAnyCase && pattern.segments.contains(where: { $0.hasLetters }) {
            let text = "paths are case-sensitive, routes are not"
            rules.append(Rule(label: .under, traits: [.letterCase], text: text))
        }
        if SiteVariant.variants(of: pattern).contains(where: { $0.segments.isEmpty && !$0.isCatchAll }) {
            let text = "no path rule matches a link without a path"
            rules.append(Rule(label: .under, traits: [.bareHost], text: text))
        }
        return rules
    }
}

extension RoutePattern.Segment {
    fileprivate var isInteger: Bool {
        if case .parameter(_, .int) = self { return true }
        return false
    }

    fileprivate var hasLetters: Bool {
        switch self {
        case .literal(let text): text.utf8.contains(where: ASCII.isLetter)
        case .parameter(_, .oneOf(let words)): words.contains { $0.utf8.contains(where: ASCII.isLetter) }
        case .parameter, .catchAll: false
        }
    }
}
