/// Eight bytes of a link in one word, the first in the lowest bits.
struct ByteWord {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let high: UInt64 = 0x8080_8080_8080_8080
    private static let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F

    let bits: UInt64

    @inline(__always)
    init(_ bits: UInt64) {
        self.bits = bits
    }

    /// Reads the bytes from `index` to `index + 7`, all of which must be in the buffer.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
        // Every caller has checked the index against the buffer's bounds.
        assert(index >= 0 && index + 8 <= bytes.count)
        bits = UInt64(
            littleEndian: UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped + index).loadUnaligned(as: UInt64.self))
    }

    /// Reads the bytes from `index` on, padded with zeros after the end of the buffer. Every search here stops at a
    /// zero.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>, padded index: Int) {
        let count = bytes.count
        if index &+ 8 <= count {
            self.init(bytes, at: index)
        } else if index < count, count >= 8 {
            self.init(ByteWord(bytes, at: count - 8).bits >> UInt64((index + 8 - count) * 8))
        } else {
            var bits: UInt64 = 0
            for place in stride(from: count - 1, through: index, by: -1) { bits = bits << 8 | UInt64(bytes[place]) }
            self.init(bits)
        }
    }

    /// The highest bit of each byte that equals `byte`.
    @inline(__always)
    func equal(to byte: UInt8) -> UInt64 {
        let difference = bits ^ (ByteWord.ones &* UInt64(byte))
        // No carry crosses bytes: the sum is at most 0x7F plus 0x7F.
        return ~(((difference & ByteWord.low) &+ ByteWord.low) | difference) & ByteWord.high
    }

    /// Whether the bytes are `https://`, with letters in either case.
    @inline(__always)
    var isSecureWebScheme: Bool {
        // The word for "https://", first byte lowest; case folding applies only to the letters.
        bits | 0x20_2020_2020 == 0x2F2F_3A73_7074_7468
    }

    /// The highest bit of each byte that is neither alphanumeric nor one of `-`, `.` and `_`.
    @inline(__always)
    var stopsInHost: UInt64 {
        let seven = bits & ByteWord.low
        let lower = seven | ByteWord.ones &* 0x20
        let letters = (lower &+ ByteWord.ones &* (0x80 - 0x61)) & ~(lower &+ ByteWord.ones &* (0x80 - 0x7B))
        // Hyphen, dot, slash and the digits are contiguous.
        let others = (seven &+ ByteWord.ones &* (0x80 - 0x2D)) & ~(seven &+ ByteWord.ones &* (0x80 - 0x3A))
        let plain = (letters | (others & ~equal(to: UInt8(ascii: "/"))) | equal(to: UInt8(ascii: "_"))) & ~bits
        return ~plain & ByteWord.high
    }

    /// The highest bit of each byte below `(` and of each byte that isn't a printable ASCII character. The few valid
    /// ones below, such as `!`, are rare in links; stopping at them makes the test of each byte cheaper.
    @inline(__always)
    private var lowOrUnprintable: UInt64 {
        let seven = bits & ByteWord.low
        let isHighEnough = seven &+ ByteWord.ones &* (0x80 - 0x28)
        let isDelete = seven &+ ByteWord.ones
        return (~isHighEnough | isDelete | bits) & ByteWord.high
    }

    /// The highest bit of each byte that ends a path segment or needs a closer look.
    @inline(__always)
    var stopsInPath: UInt64 {
        // With this bit set, a slash becomes a question mark.
        let marks = ByteWord(bits | ByteWord.ones &* 0x10).equal(to: UInt8(ascii: "?"))
        return marks | equal(to: UInt8(ascii: "\\")) | lowOrUnprintable
    }

    /// The highest bit of each byte that ends a query item or needs a closer look.
    @inline(__always)
    var stopsInQuery: UInt64 {
        equal(to: UInt8(ascii: "\\")) | lowOrUnprintable
    }

    /// The bytes with ASCII letters in lowercase, the first one in the highest bits, as in ``FoldedHash``.
    @inline(__always)
    var folded: UInt64 {
        let seven = bits & ByteWord.low
        let isFromA = seven &+ ByteWord.ones &* (0x80 - 0x41)
        let isBeyondZ = seven &+ ByteWord.ones &* (0x80 - 0x5B)
        let upper = isFromA & ~isBeyondZ & ~bits & ByteWord.high
        return (bits | upper >> 2).byteSwapped
    }
}
