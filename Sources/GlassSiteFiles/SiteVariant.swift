import GlassDeepLinking

/// A pattern with a fixed number of segments, or with a rest at its end: an optional last segment makes two of them.
struct SiteVariant: Sendable {
    /// The segments without the rest.
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
