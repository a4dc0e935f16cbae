import Testing

/// A test argument that is identified by its beginning: the test runner writes all arguments to its log.
struct LongText: Sendable, ExpressibleByStringLiteral, CustomTestStringConvertible {
    let text: String

    init(_ text: String) { self.text = text }

    init(stringLiteral text: String) { self.text = text }

    var testDescription: String {
        text.utf8.count > 60 ? "\(text.prefix(40).debugDescription)… (\(text.utf8.count) bytes)" : text.debugDescription
    }
}
