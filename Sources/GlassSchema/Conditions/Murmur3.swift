/// MurmurHash3 x86_32 of bytes that come in parts. It spreads units evenly over buckets; it is no protection against
/// anybody who chooses the units.
///
/// Source: Austin Appleby, MurmurHash3, in the public domain.
package struct Murmur3: Sendable {
    private var hash: UInt32
    /// The bytes that do not fill a block yet, the first one lowest.
    private var pending: UInt32 = 0
    private var count: UInt32 = 0

    /// Creates a hash without bytes.
    package init(seed: UInt32 = 0) { hash = seed }

    /// Adds the UTF-8 bytes of a text. Allocates nothing for a native string.
    package mutating func add(_ text: String) {
        let added: Void? = text.utf8.withContiguousStorageIfAvailable { add($0) }
        if added == nil { for byte in text.utf8 { add(byte) } }
    }

    /// Adds bytes, four at a time where they fill a block.
    private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < bytes.count, count & 3 != 0 {
            add(bytes[index])
            index += 1
        }
        while index + 4 <= bytes.count {
            let block = UnsafeRawPointer(bytes.baseAddress! + index).loadUnaligned(as: UInt32.self)
            mix(UInt32(littleEndian: block))
            count &+= 4
            index += 4
        }
        while index < bytes.count {
            add(bytes[index])
            index += 1
        }
    }

    /// Adds a byte.
    package mutating func add(_ byte: UInt8) {
        pending |= UInt32(byte) << ((count & 3) * 8)
        count &+= 1
        guard count & 3 == 0 else { return }
        mix(pending)
        pending = 0
    }

    @inline(__always) private mutating func mix(_ block: UInt32) {
        hash ^= Self.scrambled(block)
        hash = Self.rotated(hash, by: 13) &* 5 &+ 0xe654_6b64
    }

    private static func scrambled(_ block: UInt32) -> UInt32 { rotated(block &* 0xcc9e_2d51, by: 15) &* 0x1b87_3593 }

    private static func rotated(_ value: UInt32, by count: UInt32) -> UInt32 {
        value << count | value >> (32 - count)
    }

    /// The hash of the bytes so far.
    package var value: UInt32 {
        var hash = hash
        if count & 3 != 0 { hash ^= Self.scrambled(pending) }
        hash ^= count
        hash ^= hash >> 16
        hash &*= 0x85eb_ca6b
        hash ^= hash >> 13
        hash &*= 0xc2b2_ae35
        return hash ^ hash >> 16
    }
}
