/// Excerpts of long texts around their first difference, so that texts with the same beginning do not look the same.
package struct TextExcerpts: Equatable {
    /// The excerpts, in the order of the texts, with `…` for omitted text.
    package let texts: [String]
    /// The position of the first difference, in Unicode scalars from 1.
    package let position: Int

    /// The maximum length of a text that is shown completely.
    private static let longest = 60
    /// The length of the context before the difference, which helps to find the position.
    private static let context = 20

    /// Creates excerpts; returns nil if the texts are equal, or short enough to be shown completely.
    package init?(_ texts: [String]) {
        let views = texts.map(\.unicodeScalars)
        // A text has no more scalars than bytes.
        guard let first = views.first, texts.contains(where: { $0.utf8.count > Self.longest }) else { return nil }
        var common = first.count
        for view in views.dropFirst() {
            common = min(
                common, zip(first, view).enumerated().first { $1.0 != $1.1 }?.offset ?? min(first.count, view.count))
        }
        guard views.contains(where: { $0.count > common }), views.contains(where: { $0.count > Self.longest }) else {
            return nil
        }
        let start = common <= Self.longest / 2 ? 0 : common - Self.context
        // Leaves room for each `…`.
        let length = Self.longest - (start > 0 ? 2 : 1)
        self.texts = views.map { view in
            let rest = view.dropFirst(start)
            let isCut = rest.count > length
            return (start > 0 ? "…" : "") + String(String.UnicodeScalarView(rest.prefix(length))) + (isCut ? "…" : "")
        }
        position = common + 1
    }
}
