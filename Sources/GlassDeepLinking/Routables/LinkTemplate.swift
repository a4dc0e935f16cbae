/// Text with placeholders for values of a link, such as `{code|all}`.
///
/// | written | meaning |
/// |---|---|
/// | `{name}` | the path parameter with this name |
/// | `{?name}` | the first query item with this name |
/// | `{name\|text}`, `{?name\|text}` | the same, or the text if the link has no such value; the text may be empty |
/// | `{{`, `}}` | a brace |
///
/// An empty value counts as missing. If the link lacks a value without a default, the whole template yields no text,
/// because a partial one would be misleading.
///
/// ```swift
/// let template = try LinkTemplate("{chain}/{store|any}")
/// print(template.parameterNames)  // ["chain", "store"]
/// ```
package struct LinkTemplate: Sendable, Equatable, CustomStringConvertible {
    /// A part of a template.
    package enum Part: Sendable, Equatable {
        /// Literal text.
        case literal(String)
        /// A path parameter, and its default if the link has none.
        case parameter(name: String, default: String?)
        /// A query item, and its default if the link has none.
        case queryItem(name: String, default: String?)
    }

    /// The maximum length of a template in UTF-8 bytes.
    package static let lengthLimit = 2_048

    /// The maximum number of placeholders in a template: together with the maximum length of a link, it bounds the
    /// resulting text.
    package static let placeholderLimit = 16

    /// The template as written.
    package let text: String

    /// The parts from left to right.
    package let parts: [Part]

    /// Compiles a template.
    package init(_ text: String) throws(LinkTemplateError) {
        parts = try LinkTemplateReader(text: text).read()
        self.text = text
    }

    /// The names of the path parameters from left to right, including repetitions.
    package var parameterNames: [String] {
        parts.compactMap { part in
            guard case .parameter(let name, _) = part else { return nil }
            return name
        }
    }

    /// The text of the template.
    package var description: String { text }

    /// The text for a link.
    package func text(for link: DeepLink) -> String? {
        text(parameters: link.parameters.dictionary, query: link.queryItems)
    }

    /// The text for a link whose parts have already been decoded.
    func text(parameters: [String: String], query: [QueryItem]) -> String? {
        var result = ""
        for part in parts {
            let value: String?
            let standIn: String?
            switch part {
            case .literal(let literal): (value, standIn) = (literal, nil)
            case .parameter(let name, let other): (value, standIn) = (parameters[name], other)
            case .queryItem(let name, let other):
                // Compares bytes, because `==` on strings treats the Kelvin sign as a K.
                (value, standIn) = (query.first { $0.name.utf8.elementsEqual(name.utf8) }?.value, other)
            }
            guard let text = value?.isEmpty == false ? value : standIn else { return nil }
            result += text
        }
        return result
    }
}
