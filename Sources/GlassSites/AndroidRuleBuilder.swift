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
            guard case .oneOf(let words)? = segment.type else {
                result = result.map { $0 + [segment] }
                continue
            }
            count *= words.count
            if count > Self.maximumRulesForLists {
                count /= words.count
                result = result.map { $0 + [segment.withoutType] }
            } else {
                result = result.flatMap { start in words.map { start + [.literal(segment.text(of: $0))] } }
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
        case .literal(let text): literal(text)
        case .parameter(_, let type): value(of: type)
        case .affixed(let parameter):
            literal(parameter.prefix) + value(of: parameter.type, before: parameter.suffix) + literal(parameter.suffix)
        case .catchAll: value(of: nil)
        }
    }

    /// The pattern of a value before a text.
    ///
    /// A set takes all that it can and gives nothing back, so after the first character it must not contain the start
    /// of the text.
    private func value(of type: ParameterType?, before suffix: String = "") -> String {
        guard let stop = suffix.unicodeScalars.first, Self.stops(type, before: stop) else {
            return type?.named?.declaration.androidPattern ?? "[^/]+"
        }
        let stops = cases(of: stop)
        guard let (start, rest) = type?.named?.declaration.androidStart else {
            return "[^/][^/" + stops.map(Self.escaped).joined() + "]*"
        }
        return start + "[" + rest.unicodeScalars.filter { !stops.contains($0) }.map(Self.escaped).joined() + "]*"
    }

    /// The scalar, and if letter case does not count, the same letter in the other case.
    private func cases(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        guard matchesAnyCase, let byte = UInt8(exactly: scalar.value), ASCII.isLetter(byte) else { return [scalar] }
        return [Unicode.Scalar(byte | 0x20), Unicode.Scalar(byte & ~0x20)]
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        ("\\.[]{}*+-^".unicodeScalars.contains(scalar) ? "\\" : "") + String(scalar)
    }

    /// Whether a value of a type may contain the start of the text after it.
    static func stops(_ type: ParameterType?, before scalar: Unicode.Scalar) -> Bool {
        guard let type = type?.named else { return true }
        return type.declaration.androidStart?.rest.unicodeScalars.contains(scalar) == true
    }

    private func literal(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let cases = cases(of: scalar)
            if cases.count > 1 {
                result += "[" + cases.map { String($0) }.joined() + "]"
            } else {
                if "\\.[]{}*+".unicodeScalars.contains(scalar) { result += "\\" }
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
