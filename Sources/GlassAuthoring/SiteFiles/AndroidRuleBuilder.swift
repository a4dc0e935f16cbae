import GlassBase
import GlassDeepLinking

/// Converts routes to path rules of an intent filter.
///
/// Prefers attributes that every API level supports, because a filter without any path that an old level knows claims
/// the whole host there.
struct AndroidRuleBuilder {
    /// The maximum number of rules per pattern; beyond it, lists become "any segment".
    static let maximumRulesForLists = 64

    let matchesAnyCase: Bool

    func rules(
        for patterns: [RoutePattern], budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [RouteRule<AndroidPathRule>] {
        var result = OwnedRules<AndroidPathRule>()
        for (owner, pattern) in patterns.enumerated() {
            for variant in SiteVariant.variants(of: pattern) {
                for segments in expanded(variant.segments) {
                    for rule in rules(segments, isCatchAll: variant.isCatchAll) {
                        try result.add(rule, owner: owner, size: rule.value.utf8.count, budget: budget)
                    }
                }
            }
        }
        return result.list
    }

    /// The segments with each list expanded to its words, because no attribute supports alternatives.
    private func expanded(_ segments: [RoutePattern.Segment]) -> [[RoutePattern.Segment]] {
        var result: [[RoutePattern.Segment]] = [[]]
        var count = 1
        for segment in segments {
            guard case .parameter(let name, .oneOf(let words)) = segment else {
                result = result.map { $0 + [segment] }
                continue
            }
            count *= words.count
            if count > Self.maximumRulesForLists {
                count /= words.count
                result = result.map { $0 + [.parameter(name: name, type: nil)] }
            } else {
                result = result.flatMap { start in words.map { start + [.literal($0)] } }
            }
        }
        return result
    }

    private func rules(_ segments: [RoutePattern.Segment], isCatchAll: Bool) -> [AndroidPathRule] {
        var literals: [String] = []
        for case .literal(let text) in segments { literals.append(text) }
        let isFixed = literals.count == segments.count
        let needsAnyCase = matchesAnyCase && literals.contains { $0.utf8.contains(where: ASCII.isLetter) }
        var result: [AndroidPathRule] = []
        let path = "/" + literals.joined(separator: "/")
        // In a simple glob, a dot matches anything, even if escaped.
        if isFixed && isCatchAll && !path.utf8.contains(UInt8(ascii: ".")) {
            result.append(.pattern(path + (literals.isEmpty ? "" : "/") + "..*"))
        } else if isFixed && !isCatchAll {
            result.append(.path(path))
            if !literals.isEmpty { result.append(.path(path + "/")) }
        }
        if result.isEmpty || needsAnyCase {
            let start = segments.map { "/" + text(of: $0) }.joined()
            result.append(.advancedPattern(start + (isCatchAll ? "/[^/].*" : "/{0,1}")))
        }
        return result
    }

    private func text(of segment: RoutePattern.Segment) -> String {
        switch segment {
        case .literal(let text): return literal(text)
        case .parameter(_, .int): return "-{0,1}[0-9]+"
        case .parameter(_, .uuid):
            return [8, 4, 4, 4, 12].map { "[0-9a-fA-F]{\($0)}" }.joined(separator: "-")
        case .parameter(_, .slug): return "[0-9a-zA-Z][0-9a-zA-Z_\\-]*"
        case .parameter(_, .alnum): return "[0-9a-zA-Z]+"
        case .parameter, .catchAll: return "[^/]+"
        }
    }

    private func literal(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if matchesAnyCase, let byte = UInt8(exactly: scalar.value), ASCII.isLetter(byte) {
                let lower = ASCII.lowercased(byte)
                result += "[" + String(decoding: [lower, lower ^ 0x20], as: UTF8.self) + "]"
            } else {
                if "\\.[]{}*+".unicodeScalars.contains(scalar) { result += "\\" }
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
