/// A JSON value whose bytes have exactly one interpretation.
///
/// Ambiguous input that Foundation's readers accept is an error here: two members with the same name, bytes that are
/// not UTF-8, a byte order mark, half of a surrogate pair, content after the value. Names are bytes: `é` and `e` with a
/// combining accent are different names, although they are equal as Swift strings. Numbers with a fraction or an
/// exponent are read only if the caller allows them, because signed metadata has none.
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
    /// A number without a fraction or an exponent, of any size.
    case integer(Integer)
    /// Any other finite number.
    case number(Double)
    /// A string. Two strings are equal only if their UTF-8 bytes are.
    case string(String)
    /// Values in order.
    case array([StrictJSON])
    /// Members, sorted by the UTF-8 of their names. The function of the same name creates one.
    case object([Member])

    /// A member of an object. Only the reader and this file create members, so that objects are sorted and their names
    /// differ.
    package struct Member: Sendable {
        /// Its name.
        package let key: String
        /// Its value.
        package let value: StrictJSON
    }

    /// An integer as its digits, so that one that does not fit in an `Int` can still be read and written back.
    package struct Integer: Sendable, Hashable {
        /// The digits, after a minus sign if it is negative; no leading zeros.
        package let digits: String

        /// Creates an integer.
        package init(_ value: Int) {
            digits = String(value)
        }

        /// Creates an integer from text that matches the JSON grammar: ASCII digits, no leading zero.
        init(digits: String) {
            // Minus zero is 0, and its canonical form has no sign.
            self.digits = digits == "-0" ? "0" : digits
        }

        /// The value; nil if it does not fit in an `Int`.
        package var value: Int? { Int(digits) }
    }

    /// Creates an object.
    ///
    /// Traps if two members have the same name. Input goes through ``init(reading:limit:numbers:)``, which rejects
    /// them.
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

    /// The string; nil for any other value.
    package var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The integer; nil for any other value, and if it does not fit in an `Int`.
    package var intValue: Int? {
        if case .integer(let integer) = self { integer.value } else { nil }
    }

    /// The Boolean; nil for any other value.
    package var boolValue: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The values of an array; nil for any other value.
    package var arrayValue: [StrictJSON]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// Whether it is or contains a number with a fraction or an exponent, which has no standard canonical form.
    package var hasFractions: Bool {
        switch self {
        case .number: true
        case .array(let values): values.contains(where: \.hasFractions)
        case .object(let members): members.contains(where: \.value.hasFractions)
        case .null, .boolean, .integer, .string: false
        }
    }

    /// The members of an object, sorted by the UTF-8 of their names; nil for any other value.
    package var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }
}

extension StrictJSON.Member: Equatable {
    /// Whether name and value are equal.
    package static func == (one: Self, other: Self) -> Bool {
        one.key.hasSameUTF8(as: other.key) && one.value == other.value
    }
}

extension StrictJSON: Equatable {
    /// Whether two values are equal. Strings are compared by their UTF-8.
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
    /// Whether two strings have the same UTF-8. This is stricter than `==`, for which `é` equals `e` with a combining
    /// accent.
    package func hasSameUTF8(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Whether a string precedes another by UTF-8, which is the order of code points.
    package func precedesInUTF8(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}
