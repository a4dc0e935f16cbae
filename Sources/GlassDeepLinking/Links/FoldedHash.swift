/// A hash of bytes with ASCII letters in lower case, eight bytes at a step.
///
/// It spreads the literals of a table, which nobody hostile writes; a link that hits a slot is still compared.
struct FoldedHash: Equatable {
    /// The last eight folded bytes, or all of a shorter text.
    private(set) var tail: UInt64 = 0
    private var mixed: UInt64 = 0
    private var count: UInt64 = 0

    @inline(__always)
    private mutating func combine(_ byte: UInt8) {
        tail = tail << 8 | UInt64(ASCII.lowercased(byte))
        count += 1
        if count & 7 == 0 { mix(tail) }
    }

    @inline(__always)
    private mutating func mix(_ block: UInt64) {
        mixed = (mixed ^ block) &* 0x9E37_79B9_7F4A_7C15
    }

    @inline(__always)
    var value: UInt64 {
        let last = (mixed ^ tail ^ count << 56) &* 0x9E37_79B9_7F4A_7C15
        return last ^ last >> 29
    }

    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { combine(byte) }
    }

    /// The same for a part of a buffer, in steps of eight bytes where eight bytes end with the part.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) {
        guard end >= 8 else {
            for index in start..<end { combine(bytes[index]) }
            return
        }
        let length = end &- start
        // The bytes before a short text are read too, and masked out.
        let last = ByteWord(bytes, at: end &- 8).folded
        tail = length >= 8 ? last : last & ((1 &<< UInt64(truncatingIfNeeded: length &* 8)) &- 1)
        count = UInt64(truncatingIfNeeded: length)
        var index = start
        while index &+ 8 <= end {
            mix(ByteWord(bytes, at: index).folded)
            index &+= 8
        }
    }
}
