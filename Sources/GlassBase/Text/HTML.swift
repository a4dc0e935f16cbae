/// A part of an HTML document.
///
/// Markup comes from literals and ``drawing(_:)``. All other text is escaped here, with invisible characters
/// spelled out (``DisplayText``).
///
/// ```swift
/// let card = HTML.element("article.card", ["id": market.id], .element("h2", "\(market.name)"))
/// ```
package struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The markup.
    package private(set) var markup: String

    /// Creates text.
    package init(_ text: String) {
        markup = DisplayText(text).plain.xmlText
    }

    /// Creates text from a literal.
    package init(stringLiteral text: String) { self.init(text) }

    /// Creates text from a literal and values.
    package init(stringInterpolation: StringInterpolation) { markup = stringInterpolation.markup }

    private init(markup: String) {
        self.markup = markup
    }

    /// Nothing.
    package static let empty = HTML(markup: "")

    /// Markup from a writer that escapes text itself, such as that of a diagram.
    package static func drawing(_ svg: String) -> HTML { HTML(markup: svg) }

    /// The concatenation of parts.
    package static func group(_ parts: [HTML]) -> HTML { HTML(markup: parts.map(\.markup).joined()) }

    /// An element.
    ///
    /// - Parameters:
    ///   - kind: The tag with classes, such as `p.note`.
    ///   - attributes: The attributes. Those with a nil value are omitted; an empty string writes only the name.
    ///   - children: The content.
    package static func element(
        _ kind: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:], _ children: HTML...
    ) -> HTML {
        element(kind, attributes, children)
    }

    /// An element without attributes.
    package static func element(_ kind: StaticString, _ children: HTML...) -> HTML { element(kind, [:], children) }

    /// An element with any number of children.
    package static func element(
        _ kind: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:], _ children: [HTML]
    ) -> HTML {
        let parts = kind.description.split(separator: ".")
        let tag = parts[0]
        var start = "<\(tag)"
        if parts.count > 1 { start += " class=\"\(parts.dropFirst().joined(separator: " "))\"" }
        for (name, value) in attributes {
            guard let value else { continue }
            start += value.isEmpty ? " \(name)" : " \(name)=\"\(DisplayText(value).plain.xmlText)\""
        }
        // Line breaks between elements would be spaces in a sentence, so only what stands by itself ends a line.
        let end = lineEnds.contains(String(tag)) ? "\n" : ""
        guard !voidTags.contains(String(tag)) else { return HTML(markup: "\(start)>\(end)") }
        return HTML(markup: "\(start)>\(children.map(\.markup).joined())</\(tag)>\(end)")
    }

    /// The elements without content.
    private static let voidTags: Set<String> = ["meta", "link", "br", "wbr"]

    /// The elements that end a line of the document, so that a comparison of two documents is readable.
    private static let lineEnds: Set<String> = [
        "meta", "link", "title", "head", "body", "header", "main", "nav", "section", "article",
        "h1", "h2", "h3", "p", "ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "figure", "footer",
    ]

    /// The parts of an interpolated text.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var markup = ""

        package init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends a literal as text.
        package mutating func appendLiteral(_ literal: String) { markup += HTML(literal).markup }

        /// Appends a value as text.
        package mutating func appendInterpolation<Value>(_ value: Value) {
            markup += HTML(String(describing: value)).markup
        }

        /// Appends markup.
        package mutating func appendInterpolation(_ value: HTML) { markup += value.markup }

        @available(*, unavailable, message: "unwrap the optional, or write what to show for nil")
        package mutating func appendInterpolation<Value>(_ value: Value?) {}
    }
}
