/// A JSON value, read so that two readers of the same bytes can never understand two things.
///
/// What Foundation's readers leave open is an error here: two members of one name, bytes that are not UTF-8, a byte order
/// mark, half of a surrogate pair, content after the value. Names are bytes: `é` and `e` with an accent are two names,
/// although Swift's `String` says they are equal. Numbers with a fraction or an exponent are read only where the caller
/// asks for them, because signed metadata has none.
///
/// ```swift
/// let json = try StrictJSON(reading: bytes, limit: 16_384)
/// let version = json["signed"]?["version"]?.intValue
/// ```
package enum StrictJSON: Sendable {
    /// The word `null`.
    case null
    /// The words `true` and `false`.
    case boolean(Bool)
    /// A number without a fraction and an exponent, of any size.
    case integer(Integer)
    /// Another number; finite.
    case number(Double)
    /// A text. Two texts are the same only if their UTF-8 is.
    case string(String)
    /// Values in their order.
    case array([StrictJSON])
    /// Members, sorted by their names' UTF-8. The function of the same name makes one.
    case object([Member])

    /// A member of an object. Only the reader and this file make one, so that objects are sorted and their names differ.
    package struct Member: Sendable {
        /// Its name.
        package let key: String
        /// Its value.
        package let value: StrictJSON

        init(key: String, value: StrictJSON) {
            self.key = key
            self.value = value
        }
    }

    /// An integer as its digits, because one that no `Int` holds is read and written back all the same.
    package struct Integer: Sendable, Hashable {
        /// The digits, after a minus sign if it is less than zero; no leading zeros.
        package let digits: String

        /// Creates an integer.
        package init(_ value: Int) {
            digits = String(value)
        }

        /// Creates an integer from what the grammar of JSON allows: ASCII digits, no leading zero.
        init(digits: String) {
            // Minus zero is 0, and its canonical form has no sign.
            self.digits = digits == "-0" ? "0" : digits
        }

        /// Its value, nil where an `Int` cannot hold it.
        package var value: Int? { Int(digits) }
    }

    /// An object of these members.
    ///
    /// Two members of one name trap: what is read comes through ``init(reading:limit:numbers:)``, which refuses them.
    package static func object(_ members: [(String, StrictJSON)]) -> StrictJSON {
        let sorted = members.map { Member(key: $0.0, value: $0.1) }.sorted { $0.key.precedesInUTF8($1.key) }
        for (one, next) in zip(sorted, sorted.dropFirst()) {
            precondition(!one.key.hasSameUTF8(as: next.key), "two members of an object have the name \(one.key)")
        }
        return .object(sorted)
    }

    /// The value of a member. O(log *n*).
    package subscript(key: String) -> StrictJSON? {
        guard case .object(let members) = self else { return nil }
        var low = 0
        var high = members.count
        while low < high {
            let middle = (low + high) / 2
            if members[middle].key.precedesInUTF8(key) { low = middle + 1 } else { high = middle }
        }
        return low < members.count && members[low].key.hasSameUTF8(as: key) ? members[low].value : nil
    }

    /// The text, nil where it is no string.
    package var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The integer, nil where it is none or larger than an `Int`.
    package var intValue: Int? {
        if case .integer(let integer) = self { integer.value } else { nil }
    }

    /// The number, whether it has a fraction or not; nil where it is none.
    package var doubleValue: Double? {
        switch self {
        case .integer(let integer): Double(integer.digits)
        case .number(let number): number
        default: nil
        }
    }

    /// The truth value, nil where it is none.
    package var boolValue: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The values of an array, nil where it is none.
    package var arrayValue: [StrictJSON]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// Whether it is, or has in it, a number with a fraction or an exponent: then it has no canonical form that others know.
    package var hasFractions: Bool {
        switch self {
        case .number: true
        case .array(let values): values.contains(where: \.hasFractions)
        case .object(let members): members.contains(where: \.value.hasFractions)
        case .null, .boolean, .integer, .string: false
        }
    }

    /// The members of an object, sorted by their names' UTF-8; nil where it is none.
    package var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }
}

extension StrictJSON.Member: Equatable {
    /// Whether name and value are the same.
    package static func == (one: Self, other: Self) -> Bool {
        one.key.hasSameUTF8(as: other.key) && one.value == other.value
    }
}

extension StrictJSON: Equatable {
    /// Whether two values are the same; texts by their UTF-8.
    package static func == (one: Self, other: Self) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.boolean(let one), .boolean(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one.hasSameUTF8(as: other)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        default: false
        }
    }
}

extension String {
    /// Whether two texts have the same UTF-8, which is more than `==` asks: `é` equals `e` with an accent.
    package func hasSameUTF8(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Whether a text comes before another by UTF-8, which is the order of code points.
    package func precedesInUTF8(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}
