/// A text with placeholders for what a link has, such as `{code|all}`.
///
/// | written | stands for |
/// |---|---|
/// | `{name}` | the path parameter of that name |
/// | `{?name}` | the first query item of that name |
/// | `{name\|text}`, `{?name\|text}` | the same, or the text where the link has no such value; the text may be empty |
/// | `{{`, `}}` | a brace |
///
/// An empty value counts as none. Where the link lacks a value that has no default, the template has no text at all: half
/// of one would mislead whoever reads it.
///
/// ```swift
/// let template = try LinkTemplate("{chain}/{store|any}")
/// print(template.parameterNames)  // ["chain", "store"]
/// ```
package struct LinkTemplate: Sendable, Equatable, CustomStringConvertible {
    /// One part of a template.
    package enum Part: Sendable, Equatable {
        /// A fixed text.
        case literal(String)
        /// A path parameter, and what stands for it where the link has none.
        case parameter(name: String, default: String?)
        /// A query item, and what stands for it where the link has none.
        case queryItem(name: String, default: String?)
    }

    /// The longest template in UTF-8 bytes.
    package static let lengthLimit = 2_048

    /// The most placeholders of one template: with the limit of a link's length they bound the text that it gives.
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

    /// The names of the path parameters from left to right, each as often as it is written.
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

    /// The same for a link whose parts have been decoded once.
    func text(parameters: [String: String], query: [QueryItem]) -> String? {
        var result = ""
        for part in parts {
            let value: String?
            let standIn: String?
            switch part {
            case .literal(let literal): (value, standIn) = (literal, nil)
            case .parameter(let name, let other): (value, standIn) = (parameters[name], other)
            case .queryItem(let name, let other):
                // Bytes, because == on strings takes the Kelvin sign for a K.
                (value, standIn) = (query.first { $0.name.utf8.elementsEqual(name.utf8) }?.value, other)
            }
            guard let text = value?.isEmpty == false ? value : standIn else { return nil }
            result += text
        }
        return result
    }
}
