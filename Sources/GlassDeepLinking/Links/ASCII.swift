/// The byte classes that links and patterns share.
package enum ASCII {
    /// Whether `byte` is a decimal digit.
    package static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// Whether `byte` is a letter of either case.
    package static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    /// Whether `byte` is a digit or a letter.
    package static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }

    /// `byte` in lowercase. Other bytes are unchanged, including those of UTF-8 sequences.
    package static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// The value of a hexadecimal digit of either case, or `nil` if `byte` isn't one.
    package static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte - 0x30 }
        let lower = byte | 0x20
        return lower &- 0x61 < 6 ? lower - 0x61 + 10 : nil
    }

    /// Whether `byte` is a hexadecimal digit of either case.
    package static func isHexDigit(_ byte: UInt8) -> Bool { hexValue(byte) != nil }
}

extension Sequence where Element == UInt8 {
    /// The bytes with ASCII letters in lowercase: the form in which literals are compared.
    package var asciiFolded: [UInt8] { map(ASCII.lowercased) }

    /// A hash of the bytes with ASCII letters in lowercase (FNV-1a).
    ///
    /// Distributes the literals of a table, which hostile links do not choose; a link that hits a slot is still compared.
    var foldedHash: UInt64 { foldedHash(after: 0xCBF2_9CE4_8422_2325) }

    /// The hash of the bytes after others with the given hash.
    func foldedHash(after hash: UInt64) -> UInt64 {
        reduce(hash) { ($0 ^ UInt64(ASCII.lowercased($1))) &* 0x100_0000_01B3 }
    }

    /// The bytes escaped for a link's path or query: everything except unreserved characters.
    var percentEncoded: String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in self {
            if ASCII.isAlphanumeric(byte) || "-._~".utf8.contains(byte) {
                result.append(byte)
            } else {
                result += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
