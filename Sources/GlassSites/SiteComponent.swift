import GlassBase

/// An entry of `components` in an `apple-app-site-association` file, generated from routes.
///
/// The file's defaults apply: letter case does not count, and patterns are compared with links as written.
package struct SiteComponent: Sendable, Hashable {
    /// The pattern of the whole path.
    package var path: String

    /// The patterns of required query items; empty ignores the query.
    package var query: [String: String]

    /// Whether a match keeps the link in the browser.
    package var isExcluded: Bool

    /// The purpose of the entry.
    package var comment: String

    /// Creates a component.
    package init(path: String, query: [String: String] = [:], isExcluded: Bool = false, comment: String = "") {
        self.path = path
        self.query = query
        self.isExcluded = isExcluded
        self.comment = comment
    }

    /// The content as devices read it.
    var content: AssociationComponent.Content {
        var content = AssociationComponent.Content(path: path, isExcluded: isExcluded, isCaseSensitive: false)
        if !query.isEmpty { content.query = .items(query.map { ($0.key, $0.value) }) }
        return content
    }

    /// The items of a query, in order; an item without `=` has an empty value.
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
