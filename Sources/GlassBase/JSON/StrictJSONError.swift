/// Why bytes are not the JSON that ``StrictJSON`` reads, and where.
package struct StrictJSONError: Error, Equatable, CustomStringConvertible {
    /// What is wrong.
    package enum Problem: Sendable, Equatable {
        /// There are more bytes than the caller takes.
        case tooLong(limit: Int)
        /// The bytes end inside of a value, or there are none.
        case ended
        /// A byte that no value has here.
        case unexpected(UInt8, expected: String)
        /// Something stands behind the value.
        case trailingContent
        /// The text begins with a byte order mark.
        case byteOrderMark
        /// Bytes that are not UTF-8.
        case invalidUTF8
        /// A control character in a string that is not written as an escape.
        case controlCharacter(UInt8)
        /// A backslash before something else than JSON's escapes.
        case unknownEscape
        /// Half of a surrogate pair, which is no character.
        case loneSurrogate
        /// A second member of the same name.
        case duplicateMember(String)
        /// More than ``StrictJSON/maximumDepth`` arrays and objects inside of each other.
        case tooDeep
        /// A number with a fraction or an exponent where only integers are read.
        case notAnInteger
        /// A number that is larger than a `Double` can be.
        case numberTooLarge
    }

    /// What is wrong.
    package let problem: Problem
    /// How many bytes are before it.
    package let offset: Int
    /// Its line, from 1.
    package let line: Int
    /// Its column, from 1, in characters of Unicode.
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
            } else if byte & 0xC0 != 0x80 {  // the bytes that continue a character are not counted
                column += 1
            }
        }
        self.line = line
        self.column = column
    }

    /// Line, column and what is wrong there.
    package var description: String { "\(line):\(column): \(problem)" }
}

extension StrictJSONError.Problem: CustomStringConvertible {
    /// What is wrong, as a phrase.
    package var description: String {
        switch self {
        case .tooLong(let limit): "the JSON has more than \(limit.grouped) bytes"
        case .ended: "the JSON ends inside of a value"
        case .unexpected(let byte, let expected): "\(Self.name(of: byte)) where \(expected) is expected"
        case .trailingContent: "something stands behind the JSON value"
        case .byteOrderMark: "the JSON begins with a byte order mark"
        case .invalidUTF8: "bytes that are not UTF-8"
        case .controlCharacter(let byte):
            "the control character \(Self.name(of: byte)) in a string; write it as an escape"
        case .unknownEscape: "an escape that JSON does not have"
        case .loneSurrogate: "half of a surrogate pair"
        case .duplicateMember(let key): "a second member \(Self.shortened(key)) in one object"
        case .tooDeep: "more than \(StrictJSON.maximumDepth) arrays and objects inside of each other"
        case .notAnInteger: "a number with a fraction or an exponent, where only integers may stand"
        case .numberTooLarge: "a number that is too large"
        }
    }

    private static func name(of byte: UInt8) -> String {
        if (0x21...0x7E).contains(byte) { return "'\(Unicode.Scalar(byte))'" }
        let digits = String(byte, radix: 16, uppercase: true)
        return "byte 0x" + (digits.count < 2 ? "0" : "") + digits
    }

    /// A name as a literal, of a length that a line of a log can have: a hostile one fills the whole limit.
    private static func shortened(_ key: String) -> String {
        let scalars = key.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: 60, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return key.jsonLiteral }
        return String(scalars[..<end]).jsonLiteral + "…"
    }
}
