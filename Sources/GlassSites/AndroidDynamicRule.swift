import GlassBase
import GlassDeepLinking

/// An entry of `dynamic_app_link_components` in an `assetlinks.json` file, which Android 15 (API 35) reads.
///
/// Entries can only narrow what the manifest's filters claim: the first match decides, and a link without a match stays
/// in the browser. Android interprets the strings as simple globs for the decoded path and query: `*` extends to the
/// first occurrence of the character after it, `?` is any single character, and letter case counts.
///
/// ```swift
/// let rule = AndroidDynamicRule(path: "/search", query: ["q": "?*"])
/// print(rule.matches(path: "/search", query: "q=shoes"))  // true
/// ```
package struct AndroidDynamicRule: Sendable, Hashable {
    /// The pattern of the whole path; nil ignores the path.
    package var path: String?

    /// The patterns of required query items.
    package var query: [String: String]

    /// The pattern of the fragment; nil ignores the fragment.
    package var fragment: String?

    /// Whether a match keeps the link in the browser.
    package var isExcluded: Bool

    /// Creates an entry.
    package init(
        path: String? = nil, query: [String: String] = [:], fragment: String? = nil, isExcluded: Bool = false
    ) {
        self.path = path
        self.query = query
        self.fragment = fragment
        self.isExcluded = isExcluded
    }

    /// Whether a link without a fragment matches.
    package func matches(path: String, query: String?) -> Bool {
        if let pattern = self.path, !Self.glob(pattern, matches: path) { return false }
        if let fragment, !Self.glob(fragment, matches: "") { return false }
        guard !self.query.isEmpty else { return true }
        let items = SiteComponent.items(of: query ?? "").map { (SiteText.decoded($0.name), SiteText.decoded($0.value)) }
        return self.query.allSatisfy { name, pattern in
            items.contains { $0.0.hasSameUTF8(as: name) && Self.glob(pattern, matches: $0.1) }
        }
    }

    /// The size of the patterns in bytes.
    var size: Int {
        query.reduce((path?.utf8.count ?? 0) + (fragment?.utf8.count ?? 0)) {
            $0 + $1.key.utf8.count + $1.value.utf8.count
        }
    }

    /// Whether a list of entries allows a link to open the app.
    static func allow(_ rules: [AndroidDynamicRule], path: String, query: String?) -> Bool {
        rules.isEmpty || rules.first { $0.matches(path: path, query: query) }?.isExcluded == false
    }

    private static func glob(_ pattern: String, matches text: String) -> Bool {
        let (pattern, text) = (Array(pattern.unicodeScalars), Array(text.unicodeScalars))
        var (index, place) = (0, 0)
        while index < pattern.count {
            let scalar = pattern[index]
            index += 1
            if scalar == "*" {
                // A run of stars counts as one, and a star before `?` matches nothing.
                while index < pattern.count, pattern[index] == "*" { index += 1 }
                guard index < pattern.count else { return true }
                guard pattern[index] != "?" else { continue }
                while place < text.count, text[place] != pattern[index] { place += 1 }
            } else {
                guard place < text.count, scalar == "?" || scalar == text[place] else { return false }
                place += 1
            }
        }
        return place == text.count
    }

    /// The entry as JSON on one line.
    var json: String {
        var parts: [String] = []
        if let path { parts.append("\"/\": \(path.jsonLiteral)") }
        if !query.isEmpty {
            let items = query.sorted { $0.key < $1.key }.map { "\($0.key.jsonLiteral): \($0.value.jsonLiteral)" }
            parts.append("\"?\": { \(items.joined(separator: ", ")) }")
        }
        if let fragment { parts.append("\"#\": \(fragment.jsonLiteral)") }
        if isExcluded { parts.append("\"exclude\": true") }
        return "{ \(parts.joined(separator: ", ")) }"
    }
}
