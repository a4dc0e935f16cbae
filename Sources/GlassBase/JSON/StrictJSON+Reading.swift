extension StrictJSON {
    /// The maximum nesting depth of arrays and objects, which also limits the reader's recursion.
    package static let maximumDepth = 32

    /// The numbers that are accepted.
    package enum Numbers: Sendable {
        /// Integers only: `1.0` and `1e0` are errors, as in signed metadata.
        case integers
        /// All finite numbers.
        case all
    }

    /// Reads a JSON text (RFC 8259) by the rules of ``StrictJSON``. O(*n* log *n*) in the number of bytes.
    package init(
        reading bytes: [UInt8], limit: Int, numbers: Numbers = .integers
    ) throws(StrictJSONError) {
        guard bytes.count <= limit else { throw StrictJSONError(.tooLong(limit: limit), at: limit, in: bytes) }
        var reader = Reader(bytes: bytes, numbers: numbers)
        self = try reader.document()
    }

    private struct Reader {
        let bytes: [UInt8]
        let numbers: Numbers
        var position = 0
        var depth = 0

        init(bytes: [UInt8], numbers: Numbers) {
            self.bytes = bytes
            self.numbers = numbers
        }

        mutating func document() throws(StrictJSONError) -> StrictJSON {
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw error(.byteOrderMark) }
            skipSpace()
            let value = try value()
            skipSpace()
            guard position == bytes.count else { throw error(.trailingContent) }
            return value
        }

        func error(_ problem: StrictJSONError.Problem, at offset: Int? = nil) -> StrictJSONError {
            StrictJSONError(problem, at: offset ?? position, in: bytes)
        }

        func unexpected(_ expected: String) -> StrictJSONError {
            position < bytes.count ? error(.unexpected(bytes[position], expected: expected)) : error(.ended)
        }

        mutating func skipSpace() {
            while position < bytes.count {
                switch bytes[position] {
                case 0x20, 0x0A, 0x0D, 0x09: position += 1
                default: return
                }
            }
        }

        /// Consumes the next byte if it is this one, and returns whether it was.
        mutating func take(_ byte: Unicode.Scalar) -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
            position += 1
            return true
        }

        mutating func value() throws(StrictJSONError) -> StrictJSON {
            guard position < bytes.count else { throw error(.ended) }
            switch bytes[position] {
            case UInt8(ascii: "{"): return try object()
            case UInt8(ascii: "["): return try array()
            case UInt8(ascii: "\""): return .string(try string())
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
            case UInt8(ascii: "t"): return try word("true", .boolean(true))
            case UInt8(ascii: "f"): return try word("false", .boolean(false))
            case UInt8(ascii: "n"): return try word("null", .null)
            default: throw unexpected("a value")
            }
        }

        mutating func word(_ word: StaticString, _ value: StrictJSON) throws(StrictJSONError) -> StrictJSON {
            for index in 0..<word.utf8CodeUnitCount {
                guard position < bytes.count, bytes[position] == word.utf8Start[index] else {
                    throw unexpected("the word \(word)")
                }
                position += 1
            }
            return value
        }

        /// Enters an array or object, whose opening bracket is the next byte.
        mutating func enter() throws(StrictJSONError) {
            guard depth < StrictJSON.maximumDepth else { throw error(.tooDeep) }
            depth += 1
            position += 1
            skipSpace()
        }

        mutating func array() throws(StrictJSONError) -> StrictJSON {
            try enter()
            defer { depth -= 1 }
            if take("]") { return .array([]) }
            var values: [StrictJSON] = []
            while true {
                values.append(try value())
                skipSpace()
                if take("]") { return .array(values) }
                guard take(",") else { throw unexpected("',' or ']'") }
                skipSpace()
            }
        }

        mutating func object() throws(StrictJSONError) -> StrictJSON {
            try enter()
            defer { depth -= 1 }
            if take("}") { return .object([Member]()) }
            var members: [(member: Member, offset: Int)] = []
            var isSorted = true
            while true {
                let offset = position
                guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                    throw unexpected("the name of a member")
                }
                let key = try string()
                skipSpace()
                guard take(":") else { throw unexpected("':'") }
                skipSpace()
                // Most files are sorted, so each name is compared only once.
                isSorted = isSorted && members.last?.member.key.precedesInUTF8(key) != false
                members.append((Member(key: key, value: try value()), offset))
                skipSpace()
                if take("}") { break }
                guard take(",") else { throw unexpected("',' or '}'") }
                skipSpace()
            }
            if !isSorted { try sort(&members) }
            return .object(members.map(\.member))
        }

        /// Sorts the members; throws if two of them have the same name.
        func sort(_ members: inout [(member: Member, offset: Int)]) throws(StrictJSONError) {
            // Equal names are sorted by offset, so that the error is about the second one.
            members.sort { one, other in
                one.member.key.hasSameUTF8(as: other.member.key)
                    ? one.offset < other.offset : one.member.key.precedesInUTF8(other.member.key)
            }
            var duplicate: (member: Member, offset: Int)?
            for (one, next) in zip(members, members.dropFirst())
            where one.member.key.hasSameUTF8(as: next.member.key) && next.offset < duplicate?.offset ?? .max {
                duplicate = next
            }
            if let duplicate { throw error(.duplicateMember(duplicate.member.key), at: duplicate.offset) }
        }

        mutating func number() throws(StrictJSONError) -> StrictJSON {
            let start = position
            _ = take("-")
            // A leading zero stands alone: 01 is not a number.
            if !take("0") { try digits() }
            if position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
                throw unexpected("'.', 'e' or the end of the number")
            }
            var isInteger = true
            if take(".") {
                isInteger = false
                try digits()
            }
            if take("e") || take("E") {
                isInteger = false
                if !take("+") { _ = take("-") }
                try digits()
            }
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            if isInteger { return .integer(Integer(digits: text)) }
            guard numbers == .all else { throw error(.notAnInteger, at: start) }
            guard let number = Double(text), number.isFinite else { throw error(.numberTooLarge, at: start) }
            return .number(number)
        }

        /// One digit or more.
        mutating func digits() throws(StrictJSONError) {
            let start = position
            while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
                position += 1
            }
            if position == start { throw unexpected("a digit") }
        }

        /// A string, whose quote is the next byte.
        mutating func string() throws(StrictJSONError) -> String {
            position += 1
            var start = position
            // The text before the last escape; most strings have none.
            var text = ""
            while true {
                guard position < bytes.count else { throw error(.ended) }
                switch bytes[position] {
                case UInt8(ascii: "\""):
                    let rest = String(decoding: bytes[start..<position], as: UTF8.self)
                    position += 1
                    return text.isEmpty ? rest : text + rest
                case UInt8(ascii: "\\"):
                    text += String(decoding: bytes[start..<position], as: UTF8.self)
                    text.unicodeScalars.append(try escape())
                    start = position
                case let byte where byte < 0x20: throw error(.controlCharacter(byte))
                case let byte where byte < 0x80: position += 1
                default: try character()
                }
            }
        }

        /// Consumes a character of two to four bytes (RFC 3629, section 4): no overlong forms, no surrogates, nothing
        /// above U+10FFFF.
        mutating func character() throws(StrictJSONError) {
            let (count, second): (Int, ClosedRange<UInt8>)
            switch bytes[position] {
            case 0xC2...0xDF: (count, second) = (2, 0x80...0xBF)
            case 0xE0: (count, second) = (3, 0xA0...0xBF)
            case 0xED: (count, second) = (3, 0x80...0x9F)
            case 0xE1...0xEF: (count, second) = (3, 0x80...0xBF)
            case 0xF0: (count, second) = (4, 0x90...0xBF)
            case 0xF1...0xF3: (count, second) = (4, 0x80...0xBF)
            case 0xF4: (count, second) = (4, 0x80...0x8F)
            default: throw error(.invalidUTF8)
            }
            guard position + count <= bytes.count, second.contains(bytes[position + 1]),
                bytes[(position + 2)..<(position + count)].allSatisfy({ (0x80...0xBF).contains($0) })
            else { throw error(.invalidUTF8) }
            position += count
        }

        /// An escape, whose backslash is the next byte.
        mutating func escape() throws(StrictJSONError) -> Unicode.Scalar {
            let start = position
            position += 1
            guard position < bytes.count else { throw error(.ended) }
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
            case UInt8(ascii: "b"): return "\u{8}"
            case UInt8(ascii: "f"): return "\u{C}"
            case UInt8(ascii: "n"): return "\n"
            case UInt8(ascii: "r"): return "\r"
            case UInt8(ascii: "t"): return "\t"
            case UInt8(ascii: "u"): break
            default: throw error(.unknownEscape, at: start)
            }
            let first = try unit()
            // A character by itself, not half of a pair.
            if let scalar = Unicode.Scalar(first) { return scalar }
            guard (0xD800...0xDBFF).contains(first), take("\\"), take("u") else {
                throw error(.loneSurrogate, at: start)
            }
            let second = try unit()
            guard (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            else { throw error(.loneSurrogate, at: start) }
            return scalar
        }

        /// Four hexadecimal digits.
        mutating func unit() throws(StrictJSONError) -> UInt32 {
            var unit: UInt32 = 0
            for _ in 0..<4 {
                guard position < bytes.count, let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue
                else { throw unexpected("a hexadecimal digit") }
                unit = unit << 4 + UInt32(digit)
                position += 1
            }
            return unit
        }
    }
}
