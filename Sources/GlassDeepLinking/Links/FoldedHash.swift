/// A hash of bytes with ASCII letters in lowercase, computed eight bytes at a time.
///
/// Distributes the literals of a table, which hostile links do not choose; a link that hits a slot is still compared.
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
        // The multiplier is 2^64 divided by the golden ratio (multiplicative hashing).
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

    /// Hashes a part of a buffer, eight bytes at a time if at least eight bytes precede the end of the part.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) {
        guard end >= 8 else {
            for index in start..<end { combine(bytes[index]) }
            return
        }
        let length = end &- start
        // For a short part, preceding bytes are read as well, and masked out.
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
