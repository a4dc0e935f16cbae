import GlassBase

/// A text as a key that equals another only if the bytes do: `String` takes `é` and `e` with an accent for one, and two
/// roles or files with such names would become one.
struct UTF8Key: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The text.
    let text: String

    /// Creates a key.
    init(_ text: String) {
        self.text = text
    }

    init(stringLiteral text: String) {
        self.text = text
    }

    static func == (one: Self, other: Self) -> Bool { one.text.hasSameUTF8(as: other.text) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

/// A map keyed by exact text that keeps insertion order.
///
/// Uses `Numbering`: the first dictionary with a new key type makes the runtime search every conformance.
struct ExactMap<Value> {
    private var numbers = Numbering<UTF8Key>()
    /// The values, in the order of ``keys``.
    private(set) var values: [Value] = []

    /// The keys, in the order in which they came.
    var keys: [UTF8Key] { numbers.values }

    /// The value of a key.
    subscript(key: UTF8Key) -> Value? { numbers.number(of: key).map { values[$0] } }

    /// The keys with their values.
    var pairs: Zip2Sequence<[UTF8Key], [Value]> { zip(keys, values) }

    /// Adds a value for a key that has none.
    @discardableResult
    mutating func insert(_ value: Value, for key: UTF8Key) -> Bool {
        guard numbers.insert(key).isNew else { return false }
        values.append(value)
        return true
    }
}

extension ExactMap: Sendable where Value: Sendable {}

extension ExactMap: Equatable where Value: Equatable {
    static func == (one: Self, other: Self) -> Bool { one.keys == other.keys && one.values == other.values }
}
