/// An entry of ``DeepLinkConfiguration/browser``: a path such as `store-finder` or, with `*` as its last segment, a
/// path and everything below it, such as `help/*`.
///
/// Only what every file of a site can exclude exactly: Apple's `/help/*` also takes `/help`, and neither system has
/// exclusions for typed segments.
package struct BrowserPath: Sendable, Hashable {
    /// The path as it is written.
    package let text: String

    /// The segments, without the `*`.
    package let segments: [String]

    /// Whether everything below the path also stays in the browser.
    package let includesBelow: Bool

    /// Creates a path. A slash at either end does not count.
    package init(_ text: String) {
        var segments = text.split(separator: "/").map(String.init)
        includesBelow = segments.last == "*"
        if includesBelow { segments.removeLast() }
        self.text = text
        self.segments = segments
    }

    /// Whether text is a path that can be excluded: literal segments, and `*` at most as the last one. A `*` alone
    /// would keep all links in the browser, and no universal link would be left.
    package static func isValid(_ text: String) -> Bool {
        let path = BrowserPath(text)
        guard text.utf8.count <= RoutePattern.lengthLimit, text == "/" || !path.segments.isEmpty else { return false }
        do {
            let rest = path.includesBelow ? String(text.prefix { $0 != "*" }) : text
            let pattern = try RoutePattern(rest)
            return pattern.segments.map(\.literal) == path.segments.map(Optional.some) && pattern.requiredQuery.isEmpty
                && !pattern.isLastOptional
        } catch {
            return false
        }
    }

    /// Whether the link with these decoded segments stays in the browser.
    package func keeps(_ link: [String]) -> Bool {
        guard includesBelow ? link.count >= segments.count : link.count == segments.count else { return false }
        return zip(segments, link).allSatisfy(Self.isEqual)
    }

    /// Whether every link of a pattern stays in the browser.
    package func keeps(_ pattern: RoutePattern) -> Bool {
        pattern.variants.allSatisfy { variant in
            guard variant.count >= segments.count, includesBelow || variant.count == segments.count else {
                return false
            }
            return zip(segments, variant).allSatisfy { own, segment in
                segment.literal.map { Self.isEqual(own, $0) } ?? false
            }
        }
    }

    /// Whether every link that another path keeps in the browser is also kept by this one.
    package func includes(_ other: BrowserPath) -> Bool {
        keeps(other.segments) && (includesBelow || !other.includesBelow)
    }

    private static func isEqual(_ one: String, _ other: String) -> Bool {
        one.utf8.lazy.map(ASCII.lowercased).elementsEqual(other.utf8.lazy.map(ASCII.lowercased))
    }
}

extension RoutePattern.Segment {
    /// The text of a literal; nil for a segment with a parameter.
    fileprivate var literal: String? { if case .literal(let text) = self { text } else { nil } }
}

extension [BrowserPath] {
    /// The first path that keeps a link in the browser. Links with a custom scheme have no browser.
    package func keeping(_ link: DeepLink) -> BrowserPath? {
        // Most markets have none, and their links must cost nothing here.
        guard !isEmpty, link.isWebLink else { return nil }
        let segments = link.segments
        return first { $0.keeps(segments) }
    }
}
