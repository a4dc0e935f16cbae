import Testing

/// An argument of a test that is named by its beginning: the runner writes the names of all arguments into its log.
struct LongText: Sendable, ExpressibleByStringLiteral, CustomTestStringConvertible {
    /// The text.
    let text: String

    /// Wraps a text.
    init(_ text: String) { self.text = text }

    init(stringLiteral text: String) { self.text = text }

    var testDescription: String {
        text.utf8.count > 60 ? "\(text.prefix(40).debugDescription)… (\(text.utf8.count) bytes)" : text.debugDescription
    }
}
