/// The content of a signed message (CMS, RFC 5652 section 5), the format that iOS 8 required for an association file.
///
/// Reads only what is needed to find the content: the signature is irrelevant since iOS 9.
enum SignedMessage {
    /// Whether the bytes begin like a signed message: a DER sequence whose first element is the object identifier of
    /// signed data.
    static func isOne(_ bytes: [UInt8]) -> Bool {
        var reader = Reader(bytes: bytes[...])
        guard var outer = reader.element(0x30), let type = outer.element(0x06) else { return false }
        return Array(type.bytes) == signedData
    }

    /// The content; nil if the bytes are not a signed message that contains it.
    static func content(of bytes: [UInt8]) -> [UInt8]? {
        var reader = Reader(bytes: bytes[...])
        guard var message = reader.element(0x30), message.element(0x06) != nil, var explicit = message.element(0xA0),
            var signed = explicit.element(0x30), signed.element(0x02) != nil, signed.element(0x31) != nil,
            var inner = signed.element(0x30), inner.element(0x06) != nil, var wrapped = inner.element(0xA0),
            let content = wrapped.element(0x04)
        else { return nil }
        return Array(content.bytes)
    }

    /// 1.2.840.113549.1.7.2
    private static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]

    /// A reader of elements with definite lengths (X.690 section 8.1).
    private struct Reader {
        var bytes: ArraySlice<UInt8>

        /// The content of the next element, if it has this tag.
        mutating func element(_ tag: UInt8) -> Reader? {
            guard bytes.first == tag, let first = bytes.dropFirst().first else { return nil }
            var rest = bytes.dropFirst(2)
            var length = Int(first)
            if first >= 0x80 {
                let count = Int(first & 0x7F)
                // Four bytes of length exceed the size of any file that is read.
                guard (1...4).contains(count), rest.count >= count else { return nil }
                length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(count)
            }
            guard length <= rest.count else { return nil }
            bytes = rest.dropFirst(length)
            return Reader(bytes: rest.prefix(length))
        }
    }
}
