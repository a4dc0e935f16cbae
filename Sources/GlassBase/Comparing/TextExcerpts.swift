/// Long texts that differ, each cut around the first difference, so that two that begin alike do not look alike.
package struct TextExcerpts: Equatable {
    /// The excerpts in the order of the texts, with `…` where something is left out.
    package let texts: [String]
    /// Where the first difference is, in characters of Unicode from 1.
    package let position: Int

    /// A text of this length is shown whole.
    private static let longest = 60
    /// How much is shown before the difference, so that the place can be found.
    private static let context = 20

    /// Cuts texts.
    package init?(_ texts: [String]) {
        let views = texts.map(\.unicodeScalars)
        // A text of that many bytes has no more characters.
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
        // One character less for each `…`.
        let length = Self.longest - (start > 0 ? 2 : 1)
        self.texts = views.map { view in
            let rest = view.dropFirst(start)
            let isCut = rest.count > length
            return (start > 0 ? "…" : "") + String(String.UnicodeScalarView(rest.prefix(length))) + (isCut ? "…" : "")
        }
        position = common + 1
    }
}
