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
        for segment in pattern.segments {
            guard let type = segment.type?.named?.declaration, type.applePattern == nil else { continue }
            let text =
                "patterns cannot repeat a character class, so a parameter of type \(type.name) matches any segment"
            rules.append(Rule(label: .over, traits: [.value, .number], text: text))
        }
        if !pattern.requiredQuery.isEmpty {
            let text = "caseSensitive is false because of the path, and also applies to the names of query items"
            rules.append(Rule(label: .over, traits: [.queryName], text: text))
        }
        if case .catchAll = pattern.segments.last, pattern.segments.contains(where: \.startsWithTextBeforeWildcard) {
            let text = "?* after a text also matches a slash, so before a catch-all the value may be empty"
            rules.append(Rule(label: .over, traits: [.emptyValue], text: text))
        }
        if isSpanning(pattern) {
            let text = "* matches slashes, and no exclusion can prevent that before a catch-all"
            rules.append(Rule(label: .over, traits: [.extraSegment], text: text))
        }
        return rules
    }

    /// Whether a fixed text is between a wildcard and a catch-all.
    private static func isSpanning(_ pattern: RoutePattern) -> Bool {
        guard case .catchAll = pattern.segments.last else { return false }
        var isBehindWildcard = false
        for segment in pattern.segments.dropLast() {
            switch segment {
            case .literal: if isBehindWildcard { return true }
            case .parameter where !segment.isWildcard: if isBehindWildcard { return true }
            case .parameter, .catchAll: isBehindWildcard = true
            case .affixed(let parameter):
                if isBehindWildcard || (segment.isWildcard && !parameter.suffix.isEmpty) { return true }
                isBehindWildcard = segment.isWildcard
            }
        }
        return false
    }

    private static func android(
        _ pattern: RoutePattern, matchesAnyCase: Bool, isNarrowed: Bool = false
    ) -> [Rule] {
        var rules: [Rule] = []
        if let text = pattern.segments.lazy.compactMap({ $0.type?.named?.declaration.androidExcess }).first {
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
        for case .affixed(let parameter) in pattern.segments {
            guard let stop = parameter.suffix.unicodeScalars.first,
                AndroidRuleBuilder.stops(parameter.type, before: stop)
            else { continue }
            let text = "a pattern reads a value only up to \"\(stop)\", the start of the text after it"
            rules.append(Rule(label: .under, traits: [], text: text))
        }
        var wordCount = 1
        for case .oneOf(let words)? in pattern.segments.map(\.type) {
            wordCount *= words.count
            if wordCount > AndroidRuleBuilder.maximumRulesForLists {
                let text =
                    "lists need more than \(AndroidRuleBuilder.maximumRulesForLists) rules, so one matches any segment"
                rules.append(Rule(label: .over, traits: [.value], text: text))
            }
        }
        if !matchesAnyCase && pattern.segments.contains(where: { $0.hasLetters }) {
            let text = "paths are case-sensitive, but routes are not"
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
    /// Whether Apple's pattern of the segment contains a wildcard.
    fileprivate var isWildcard: Bool {
        switch (self, type) {
        case (.literal, _), (_, .oneOf?): false
        case (_, .named(let type)?): type.declaration.applePattern == nil
        case (_, nil): true
        }
    }

    fileprivate var startsWithTextBeforeWildcard: Bool {
        if case .affixed(let parameter) = self { !parameter.prefix.isEmpty && isWildcard } else { false }
    }

    private var affixes: String {
        if case .affixed(let parameter) = self { parameter.prefix + parameter.suffix } else { "" }
    }

    fileprivate var hasLetters: Bool {
        switch self {
        case .literal(let text): text.utf8.contains(where: ASCII.isLetter)
        case .parameter, .affixed, .catchAll:
            if case .oneOf(let words)? = type {
                words.contains { text(of: $0).utf8.contains(where: ASCII.isLetter) }
            } else {
                affixes.utf8.contains(where: ASCII.isLetter)
            }
        }
    }
}
