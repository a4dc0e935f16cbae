/// Reads the few DER elements (X.690) that occur in key files: a tag, a length, and the content.
struct DERReader {
    /// The tags of those elements.
    enum Tag: UInt8 {
        case integer = 0x02
        case bitString = 0x03
        case octetString = 0x04
        case objectIdentifier = 0x06
        case sequence = 0x30
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) {
        rest = ArraySlice(Array(bytes))
    }

    /// Whether everything has been read.
    var isAtEnd: Bool { rest.isEmpty }

    /// The content of the next element.
    mutating func next(_ tag: Tag) -> [UInt8]? {
        guard rest.count >= 2, rest[rest.startIndex] == tag.rawValue else { return nil }
        var content = rest.dropFirst(2)
        var length = Int(rest[rest.startIndex + 1])
        if length >= 0x80 {
            // Long form: the low bits are the number of length bytes. Supported keys need at most two.
            let count = length & 0x7F
            guard (1...2).contains(count), content.count >= count else { return nil }
            length = content.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            content = content.dropFirst(count)
        }
        guard content.count >= length else { return nil }
        rest = content.dropFirst(length)
        return Array(content.prefix(length))
    }
}
