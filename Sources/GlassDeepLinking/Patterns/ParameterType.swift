/// The type of a parameter.
package enum ParameterType: Sendable, Equatable, CustomStringConvertible {
    /// Decimal digits with an optional minus sign, in the range of `Int64`.
    case int
    /// A UUID in the 8-4-4-4-12 form, in either case.
    case uuid
    /// ASCII letters, digits, hyphens and underscores; the first character is a letter or a digit.
    case slug
    /// ASCII letters and digits.
    case alnum
    /// One of these words, ignoring ASCII case.
    case oneOf([String])

    /// The type as written in a pattern.
    package var description: String {
        switch self {
        case .int: "int"
        case .uuid: "uuid"
        case .slug: "slug"
        case .alnum: "alnum"
        case .oneOf(let words): words.joined(separator: "|")
        }
    }

    /// Whether a value belongs to the type.
    package func accepts(_ value: String) -> Bool {
        accepts(bytes: Array(value.utf8))
    }

    func accepts(bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer(accepts)
    }

    func accepts(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first else { return false }
        switch self {
        case .int:
            return ParameterType.isInt64(bytes)
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
        case .alnum:
            return bytes.allSatisfy(ASCII.isAlphanumeric)
        case .oneOf(let words):
            return words.contains { word in
                word.utf8.count == bytes.count
                    && zip(word.utf8, bytes).allSatisfy { ASCII.lowercased($0) == ASCII.lowercased($1) }
            }
        }
    }

    /// A value that both types accept, or `nil` if there is none. O(words).
    func sharedValue(with other: ParameterType) -> String? {
        if case .oneOf(let words) = self {
            guard case .oneOf(let others) = other else { return words.first { other.accepts($0) } }
            let known = Set(others.map { $0.utf8.asciiFolded })
            return words.first { known.contains($0.utf8.asciiFolded) }
        }
        if case .oneOf(let words) = other { return words.first { accepts($0) } }
        // Each of the four open types accepts "1", except uuid, so these two samples decide every pair.
        return ParameterType.samples.first { accepts($0) && other.accepts($0) }
    }

    /// Samples for the worst-case analysis: for every value, one of these two is accepted by at least the same open
    /// types.
    static let samples = ["1", "00000000-0000-4000-8000-000000000000"]

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
