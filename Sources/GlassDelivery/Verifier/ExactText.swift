import GlassBase

/// A text as a key that equals another only if the bytes do: `String` takes `é` and `e` with an accent for one, and two
/// roles or files with such names would become one.
struct ExactText: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The text.
    let text: String

    /// Creates a key.
    init(_ text: String) {
        self.text = text
    }

    init(stringLiteral text: String) {
        self.text = text
    }

    static func == (one: Self, other: Self) -> Bool { one.text.isSameUTF8(as: other.text) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
