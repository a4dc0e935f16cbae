package import GlassBase

/// The route that an unmatched link comes closest to, and the one segment in which they differ.
package struct NearMatch: Sendable, Hashable {
    /// The difference between the link and the pattern.
    package enum Difference: Sendable, Hashable {
        /// A segment is a misspelled literal.
        case slip(written: String, suggestion: String)
        /// The link has one segment more than the pattern.
        case additional
        /// The link lacks a segment of the pattern, as the pattern writes it.
        case missing(String)
    }

    /// The route.
    package let declaration: RouteDeclaration
    package let difference: Difference
}

extension RouteTable {
    /// The route that an unmatched link comes closest to: a slip in one segment, or else one segment more or less.
    ///
    /// - Complexity: O(number of routes).
    package func nearMatch(for link: DeepLink, budget: WorkBudget) throws(WorkBudget.Exceeded) -> NearMatch? {
        let segments = link.segments
        let slip = try nearMisses(for: link, budget).first { $0.segments == 1 }
        if let slip {
            return NearMatch(
                declaration: slip.declaration, difference: .slip(written: slip.written, suggestion: slip.suggestion))
        }
        for (ordinal, pattern) in patterns.enumerated() {
            for variant in pattern.variants {
                try budget.spend(1 + segments.count, on: .explaining)
                guard let difference = Self.difference(of: segments, from: variant) else { continue }
                return NearMatch(declaration: declarations[ordinal], difference: difference)
            }
        }
        return nil
    }

    /// The segment that a link has in addition to a pattern or lacks; nil if that is not the only difference.
    private static func difference(
        of segments: [String], from pattern: ArraySlice<RoutePattern.Segment>
    ) -> NearMatch.Difference? {
        guard abs(segments.count - pattern.count) == 1 else { return nil }
        func matches(_ part: RoutePattern.Segment, _ segment: String) -> Bool {
            switch part {
            case .literal(let text): text.utf8.asciiFolded.elementsEqual(segment.utf8.asciiFolded)
            case .parameter(_, let type): type?.accepts(segment) ?? true
            case .affixed(let parameter): parameter.value(in: segment) != nil
            case .catchAll: false
            }
        }
        let before = zip(pattern, segments).prefix { matches($0, $1) }.count
        let rest = min(segments.count, pattern.count) - before
        guard zip(pattern.suffix(rest), segments.suffix(rest)).allSatisfy({ matches($0, $1) }) else { return nil }
        let isMissing = pattern.count > segments.count
        let odd = pattern.startIndex + before
        // Without a common literal, the two have nothing in common: `:page` would be near every link of two segments.
        let common = pattern.indices.filter { !isMissing || $0 != odd }.map { pattern[$0] }
        guard common.contains(where: { if case .literal = $0 { true } else { false } }) else { return nil }
        return isMissing ? .missing(part(pattern[odd])) : .additional
    }
}
