/// Finds pairs of patterns that match the same link with equal rank.
///
/// Two patterns rank equal for a link exactly when they have the same kinds of segments in the same places and require
/// equally many query items: the first place where the kinds differ decides otherwise. So patterns are grouped by
/// kinds, literals and query count, and within a group only the languages of typed parameters remain to be compared.
struct RouteConflicts {
    struct Conflict {
        let first: Int
        let second: Int
        let witness: String
    }

    private struct Variant {
        let ordinal: Int
        let segments: ArraySlice<RoutePattern.Segment>
        let query: [String]
    }

    static func find(in patterns: [(ordinal: Int, pattern: RoutePattern)]) -> [Conflict] {
        var groups: [[UInt8]: [Variant]] = [:]
        var conflicts: [Conflict] = []
        var clashing: Set<Int> = []
        for (ordinal, pattern) in patterns {
            for segments in pattern.variants {
                let variant = Variant(ordinal: ordinal, segments: segments, query: pattern.requiredQuery)
                let key = groupKey(variant)
                for other in groups[key, default: []] where !clashing.contains(ordinal) {
                    guard let witness = witness(other, variant) else { continue }
                    conflicts.append(Conflict(first: other.ordinal, second: ordinal, witness: witness))
                    // One clash for each declaration says enough; the next build shows the next.
                    clashing.insert(ordinal)
                }
                groups[key, default: []].append(variant)
            }
        }
        return conflicts
    }

    private static func groupKey(_ variant: Variant) -> [UInt8] {
        var key: [UInt8] = [UInt8(min(variant.query.count, 255))]
        for segment in variant.segments {
            switch segment {
            case .literal(let text): key += text.utf8.asciiFolded
            case .parameter(_, .some): key += ":t".utf8  // no literal contains a colon
            case .parameter(_, .none): key += ":p".utf8
            case .catchAll: key += ":c".utf8
            }
            key.append(UInt8(ascii: "/"))
        }
        return key
    }

    /// A link that both match, without scheme, or `nil` when a typed place has no common value.
    private static func witness(_ left: Variant, _ right: Variant) -> String? {
        var parts: [String] = []
        for (one, other) in zip(left.segments, right.segments) {
            switch (one, other) {
            case (.parameter(_, let type?), .parameter(_, let otherType?)):
                guard let value = type.sharedValue(with: otherType) else { return nil }
                parts.append(value.utf8.percentEncoded)
            case (.literal(let text), _): parts.append(text.utf8.percentEncoded)
            default: parts.append("x")
            }
        }
        let names = left.query + right.query.filter { !left.query.contains($0) }
        let query = names.map { $0.utf8.percentEncoded + "=1" }.joined(separator: "&")
        return parts.joined(separator: "/") + (query.isEmpty ? "" : "?" + query)
    }
}
