/// A type of parameters that has a name; every other type is a list of words.
///
/// This file is the whole definition of a type. To add one, add a case, what it accepts, and its declaration; at most
/// eight fit into the table's sets of types. Released apps refuse patterns with a type that they do not know.
package enum NamedParameterType: Int, CaseIterable, Sendable {
    /// Decimal digits with an optional minus sign, in the range of `Int64`.
    case int
    /// A UUID in the 8-4-4-4-12 form, in either case.
    case uuid
    /// ASCII letters, digits, hyphens, and underscores; the first character is a letter or a digit.
    case slug
    /// ASCII letters and digits.
    case alnum

    /// Everything that other code needs to know about a type, also for files of Apple and Android.
    package struct Declaration: Sendable {
        /// The name in patterns.
        package let name: String
        /// A description of a value, for users.
        package let phrase: String
        /// A value that as many types as possible accept. The worst-case analysis and the search for shared values rely on
        /// this: for any text, some type's common value is accepted by at least the types that accept the text.
        let commonValue: String
        /// Sample values that are unlikely to equal a literal. The first is typical; fewer other types accept the others.
        let ownValues: [String]
        /// Sample values for links of one route. The characters at both ends differ, because affixes match some of them.
        let routeValues: [String]
        /// The lengths of the groups of hexadecimal digits that a value consists of; nil for a type without a fixed form.
        let groups: [Int]?
        /// Values that the type accepts, as written in links.
        package let validValues: [String]
        /// Values that the type rejects.
        package let invalidValues: [String]
        /// Values that the type rejects only because they are out of range.
        package let excessiveValues: [String]
        /// Apple's pattern of a value, for a type without wildcards; nil if only "any segment" is left.
        package let applePattern: String?
        /// Android's pattern of a value.
        package let androidPattern: String
        /// The start of that pattern that is never cut, and the characters that follow; nil if the length is fixed.
        package let androidStart: (pattern: String, rest: String)?
        /// Why Android's pattern accepts more than the type; nil if it does not.
        package let androidExcess: String?
    }

    /// Whether a value belongs to the type.
    func accepts(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first else { return false }
        switch self {
        case .int: return NamedParameterType.isInt64(bytes)
        case .uuid:
            guard bytes.count == 36 else { return false }
            for (offset, byte) in bytes.enumerated() {
                switch offset {
                case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return false }
                default: if !ASCII.isHexDigit(byte) { return false }
                }
            }
            return true
        case .slug:
            return ASCII.isAlphanumeric(first)
                && bytes.allSatisfy {
                    ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }
        case .alnum: return bytes.allSatisfy(ASCII.isAlphanumeric)
        }
    }

    func accepts(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBufferPointer(accepts) }

    /// What other code needs to know about the type.
    package var declaration: Declaration { NamedParameterType.declarations[rawValue] }

    private static let declarations = allCases.map { $0.makeDeclaration() }
    private static let alphanumerics = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

    private func makeDeclaration() -> Declaration {
        switch self {
        case .int:
            Declaration(
                name: "int", phrase: "a whole number", commonValue: "1", ownValues: ["7700013", "-7700015"],
                routeValues: ["7700013", "9100038", "5200041", "-8300026"], groups: nil,
                validValues: ["42", "0", "-7", "007", "9223372036854775807", "-9223372036854775808"],
                invalidValues: ["abc", "1.5", "-", "1-"],
                excessiveValues: ["9223372036854775808", "99999999999999999999"], applePattern: nil,
                androidPattern: "-{0,1}[0-9]+", androidStart: ("-{0,1}[0-9]", "0123456789"),
                androidExcess: "patterns cannot limit an integer to 64 bits")
        case .uuid:
            Declaration(
                name: "uuid", phrase: "a UUID", commonValue: "00000000-0000-4000-8000-000000000000",
                ownValues: ["7e57ab1e-0000-4000-8000-0000000000a1"],
                routeValues: ["7e57ab1e-0000-4000-8000-0000000000a1", "c0ffee00-0000-4000-8000-00000000000f"],
                groups: [8, 4, 4, 4, 12],
                validValues: ["01234567-89ab-cdef-0123-456789abcdef", "01234567-89AB-CDEF-0123-456789ABCDEF"],
                invalidValues: [
                    "01234567-89ab-cdef-0123-456789abcde", "01234567-89ab-cdef-0123-456789abcdef0",
                    "g1234567-89ab-cdef-0123-456789abcdef",
                ], excessiveValues: [],
                applePattern: [8, 4, 4, 4, 12].map { String(repeating: "$(xdigit)", count: $0) }
                    .joined(separator: "-"),
                androidPattern: [8, 4, 4, 4, 12].map { "[0-9a-fA-F]{\($0)}" }.joined(separator: "-"),
                androidStart: nil, androidExcess: nil)
        case .slug:
            Declaration(
                name: "slug", phrase: "letters, digits, hyphens, and underscores", commonValue: "1",
                ownValues: ["zq-7700013x"], routeValues: ["zq7700013x", "9w7700013k", "Jh7700013B"], groups: nil,
                validValues: ["a-b", "a", "X9_", "9--"], invalidValues: ["-a", "a.b", "caf%C3%A9"],
                excessiveValues: [], applePattern: nil, androidPattern: "[0-9a-zA-Z][0-9a-zA-Z_\\-]*",
                androidStart: ("[0-9a-zA-Z]", NamedParameterType.alphanumerics + "_-"), androidExcess: nil)
        case .alnum:
            Declaration(
                name: "alnum", phrase: "letters and digits", commonValue: "1", ownValues: ["zq7700013x"],
                routeValues: ["zq7700013x", "9w7700013k", "Jh7700013B"], groups: nil,
                validValues: ["a1", "X", "0"], invalidValues: ["a-b", "caf%C3%A9"], excessiveValues: [],
                applePattern: nil, androidPattern: "[0-9a-zA-Z]+",
                androidStart: ("[0-9a-zA-Z]", NamedParameterType.alphanumerics), androidExcess: nil)
        }
    }

    private static func isInt64(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let digits = isNegative ? bytes.dropFirst() : bytes[...]
        guard !digits.isEmpty else { return false }
        var value: Int64 = 0
        for byte in digits {
            guard ASCII.isDigit(byte) else { return false }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            // Counting down reaches Int64.min, which has no positive counterpart.
            let (difference, underflow) = product.subtractingReportingOverflow(Int64(byte - 0x30))
            if overflow || underflow { return false }
            value = difference
        }
        return isNegative || value != .min
    }
}

extension NamedParameterType {
    /// The type with this name; nil if no type has it.
    init?(named name: String) {
        guard let type = NamedParameterType.allCases.first(where: { $0.declaration.name == name }) else { return nil }
        self = type
    }

    /// The names, for messages: `int, uuid, slug, alnum`.
    static var names: String { allCases.map(\.declaration.name).joined(separator: ", ") }

    /// The types that share a value with this one, including itself.
    var neighbors: [NamedParameterType] { NamedParameterType.allCases.filter { sharedValue(with: $0) != nil } }

    /// A value that both types accept; nil if they share none.
    func sharedValue(with other: NamedParameterType) -> String? {
        NamedParameterType.commonValues.first { value in
            let bytes = Array(value.utf8)
            return accepts(bytes) && other.accepts(bytes)
        }
    }

    /// Samples for the worst-case analysis: for every value, one of these is accepted by at least the same types.
    static let commonValues = allCases.reduce(into: [String]()) { values, type in
        let value = type.declaration.commonValue
        if !values.contains(value) { values.append(value) }
    }

    /// The rest of a value of a fixed form, given the lengths of its start and end; nil for a type without a fixed form.
    func filler(from start: Int, endingWith count: Int) -> [UInt8]? {
        guard let groups = declaration.groups else { return nil }
        let whole = Array(groups.map { String(repeating: "0", count: $0) }.joined(separator: "-").utf8)
        guard start <= whole.count - count else { return nil }
        return Array(whole[start..<(whole.count - count)])
    }
}
