/// The reason why ``StrictJSON`` rejects its input, and where.
package struct StrictJSONError: Error, Equatable, CustomStringConvertible {
    /// The problem.
    package enum Problem: Sendable, Equatable {
        /// The input exceeds the caller's limit.
        case tooLong(limit: Int)
        /// The input ends inside a value, or is empty.
        case ended
        /// An unexpected byte.
        case unexpected(UInt8, expected: String)
        /// There is content after the value.
        case trailingContent
        /// The text begins with a byte order mark.
        case byteOrderMark
        /// Bytes that are not UTF-8.
        case invalidUTF8
        /// An unescaped control character in a string.
        case controlCharacter(UInt8)
        /// A backslash that does not begin a JSON escape.
        case unknownEscape
        /// Half of a surrogate pair, which is not a character.
        case loneSurrogate
        /// A second member with the same name.
        case duplicateMember(String)
        /// Arrays and objects nested more deeply than ``StrictJSON/maximumDepth``.
        case tooDeep
        /// A number with a fraction or an exponent where only integers are read.
        case notAnInteger
        /// A number that is too large for a `Double`.
        case numberTooLarge
    }

    /// The problem.
    package let problem: Problem
    /// The number of bytes before it.
    package let offset: Int
    /// Its line, from 1.
    package let line: Int
    /// Its column, from 1, in Unicode scalars.
    package let column: Int

    init(_ problem: Problem, at offset: Int, in bytes: [UInt8]) {
        self.problem = problem
        self.offset = offset
        var line = 1
        var column = 1
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {  // continuation bytes are not counted
                column += 1
            }
        }
        self.line = line
        self.column = column
    }

    /// The line, the column and the problem.
    package var description: String { "\(line):\(column): \(problem)" }
}

extension StrictJSONError.Problem: CustomStringConvertible {
    /// The problem, as a phrase.
    package var description: String {
        switch self {
        case .tooLong(let limit): "the JSON has more than \(limit.grouped) bytes"
        case .ended: "the JSON ends inside a value"
        case .unexpected(let byte, let expected): "\(Self.name(of: byte)) where \(expected) is expected"
        case .trailingContent: "there is content after the JSON value"
        case .byteOrderMark: "the JSON begins with a byte order mark"
        case .invalidUTF8: "bytes that are not UTF-8"
        case .controlCharacter(let byte):
            "the control character \(Self.name(of: byte)) in a string; write it as an escape"
        case .unknownEscape: "an unknown escape"
        case .loneSurrogate: "half of a surrogate pair"
        case .duplicateMember(let key): "a duplicate member \(Self.shortened(key))"
        case .tooDeep: "more than \(StrictJSON.maximumDepth) nested arrays and objects"
        case .notAnInteger: "a number with a fraction or an exponent, where only integers are allowed"
        case .numberTooLarge: "a number that is too large"
        }
    }

    private static func name(of byte: UInt8) -> String {
        if (0x21...0x7E).contains(byte) { return "'\(Unicode.Scalar(byte))'" }
        let digits = String(byte, radix: 16, uppercase: true)
        return "byte 0x" + (digits.count < 2 ? "0" : "") + digits
    }

    /// A name as a literal, short enough for a line of a log: a hostile name can be as long as the whole input.
    private static func shortened(_ key: String) -> String {
        let scalars = key.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: 60, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return key.jsonLiteral }
        return String(scalars[..<end]).jsonLiteral + "…"
    }
}
