import GlassBase

/// A string as a key that compares by bytes. `String` treats `é` and `e` with a combining accent as equal, so two roles
/// or files with such names would become one.
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
struct ExactMap<Value> {
    private var numbers = InternTable<UTF8Key>()
    /// The values, in the order of ``keys``.
    private(set) var values: [Value] = []

    /// The keys, in insertion order.
    var keys: [UTF8Key] { numbers.values }

    /// The value for a key.
    subscript(key: UTF8Key) -> Value? { numbers.number(of: key).map { values[$0] } }

    /// The keys and their values.
    var pairs: Zip2Sequence<[UTF8Key], [Value]> { zip(keys, values) }

    /// Adds a value, unless the key has one already.
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
