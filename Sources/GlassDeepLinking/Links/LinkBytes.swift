/// The parts of a link between separators: the labels of a host, the segments of a path.
///
/// A separator at the end starts no further part: `a/` has one part, `a//` has two.
struct LinkParts: Sequence, IteratorProtocol {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let separator: UInt8
    private var rest: Range<Int>

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, separator: Unicode.Scalar) {
        self.bytes = bytes
        self.separator = UInt8(ascii: separator)
        rest = range
    }

    mutating func next() -> Range<Int>? {
        guard !rest.isEmpty else { return nil }
        let start = rest.lowerBound
        var end = start
        while end < rest.upperBound, bytes[end] != separator { end += 1 }
        rest = Swift.min(end + 1, rest.upperBound)..<rest.upperBound
        return start..<end
    }
}

/// The names and values of the items of a query. An empty item is ignored, as in `a&&b`.
///
/// A structure and not a lazy `map`, whose closure would be allocated for each link.
struct QueryParts: Sequence, IteratorProtocol {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var parts: LinkParts

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ query: Range<Int>) {
        self.bytes = bytes
        parts = LinkParts(bytes, query, separator: "&")
    }

    mutating func next() -> (name: Range<Int>, value: Range<Int>?)? {
        while let item = parts.next() {
            if item.isEmpty { continue }
            guard let equals = bytes[item].firstIndex(of: UInt8(ascii: "=")) else { return (item, nil) }
            return (item.lowerBound..<equals, equals + 1..<item.upperBound)
        }
        return nil
    }
}

/// The bytes that a part of a link stands for. Its escapes are complete, because the gate checked them.
struct DecodedBytes: Sequence, IteratorProtocol {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let plusIsSpace: Bool
    private var rest: Range<Int>

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, plusIsSpace: Bool = false) {
        self.bytes = bytes
        self.plusIsSpace = plusIsSpace
        rest = range
    }

    var underestimatedCount: Int { rest.count / 3 }

    mutating func next() -> UInt8? {
        guard let index = rest.first else { return nil }
        let byte = bytes[index]
        guard byte == UInt8(ascii: "%"), rest.count > 2, let high = ASCII.hexValue(bytes[index + 1]),
            let low = ASCII.hexValue(bytes[index + 2])
        else {
            rest = rest.dropFirst()
            return plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte
        }
        rest = rest.dropFirst(3)
        return high << 4 | low
    }
}
