import GlassDeepLinking

/// A pattern with a fixed number of segments or a catch-all at its end. A pattern with an optional last segment has two
/// variants.
struct SiteVariant: Sendable {
    /// The segments without the catch-all.
    var segments: [RoutePattern.Segment]
    var isCatchAll: Bool
    var query: [String]

    static func variants(of pattern: RoutePattern) -> [SiteVariant] {
        var segments = pattern.segments
        var isCatchAll = false
        if case .catchAll = segments.last {
            isCatchAll = true
            segments.removeLast()
        }
        let whole = SiteVariant(segments: segments, isCatchAll: isCatchAll, query: pattern.requiredQuery)
        guard pattern.isLastOptional else { return [whole] }
        let short = SiteVariant(segments: Array(segments.dropLast()), isCatchAll: false, query: pattern.requiredQuery)
        return [whole, short]
    }
}
