import GlassBase

/// One entry of `components` in an `apple-app-site-association` file, and how it is evaluated.
///
/// Apple's pages fix the syntax: `*` is any text, slashes included, `?` is any one character, `$(name)` is one of a
/// variable's values, and all parts of a component must match. What they leave open is decided here so: texts are
/// compared as the link writes them, escapes included; a link without a path has the path `/`; an item of the query
/// that occurs twice matches when one of the two does; an item without `=` has an empty value; and without regard to
/// case means ASCII letters, in the names of query items too.
///
/// ```swift
/// let component = SiteComponent(path: "/ip/?*", query: ["q": "?*"])
/// print(component.matches(path: "/ip/42", query: "q=shoes"))  // true
/// ```
package struct SiteComponent: Sendable, Hashable {
    /// The pattern of the whole path.
    package var path: String

    /// The patterns of query items that a link must have; empty looks at no query.
    package var query: [String: String]

    /// Whether a match keeps the link in the browser.
    package var isExcluded: Bool

    /// What the entry is for.
    package var comment: String

    /// Creates a component.
    package init(path: String, query: [String: String] = [:], isExcluded: Bool = false, comment: String = "") {
        self.path = path
        self.query = query
        self.isExcluded = isExcluded
        self.comment = comment
    }

    /// Whether a link's parts match.
    package func matches(
        path: String, query: String? = nil, variables: [String: [String]] = [:], isCaseSensitive: Bool = false
    ) -> Bool {
        let pattern = SitePattern(self.path, variables: variables, isCaseSensitive: isCaseSensitive)
        return pattern.matches(path.isEmpty ? "/" : path)
            && matchesQuery(query, variables: variables, isCaseSensitive: isCaseSensitive)
    }

    func matchesQuery(
        _ text: String?, variables: [String: [String]] = [:], isCaseSensitive: Bool = false
    ) -> Bool {
        guard !query.isEmpty else { return true }
        let items = SiteComponent.items(of: text ?? "")
        return query.allSatisfy { name, value in
            let pattern = SitePattern(value, variables: variables, isCaseSensitive: isCaseSensitive)
            return items.contains {
                SitePattern.isEqual($0.name, name, isCaseSensitive: isCaseSensitive) && pattern.matches($0.value)
            }
        }
    }

    static func items(of query: String) -> [(name: String, value: String)] {
        query.utf8.split(separator: UInt8(ascii: "&")).map { item in
            let equals = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            return (String(Substring(item[..<equals])), String(Substring(item[equals...].dropFirst())))
        }
    }

    /// The entry as JSON on one line.
    var json: String {
        var parts = ["\"/\": \(path.jsonLiteral)"]
        if !query.isEmpty {
            let items = query.sorted { $0.key < $1.key }.map { "\($0.key.jsonLiteral): \($0.value.jsonLiteral)" }
            parts.append("\"?\": { \(items.joined(separator: ", ")) }")
        }
        if isExcluded { parts.append("\"exclude\": true") }
        if !comment.isEmpty { parts.append("\"comment\": \(comment.jsonLiteral)") }
        return "{ \(parts.joined(separator: ", ")) }"
    }
}
