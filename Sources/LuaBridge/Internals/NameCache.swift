/// A cache of recent short strings from Lua. Tables of one kind repeat the same keys, and comparing two words is
/// cheaper than creating a string.
final class NameCache {
    private struct Entry {
        var low: UInt64 = 0
        var high: UInt64 = 0
        var count = -1
        var string: LuaString = ""
    }

    static let maximumBytes = 15
    private static let size = 64
    private let entries: UnsafeMutablePointer<Entry>

    init() {
        entries = .allocate(capacity: Self.size)
        entries.initialize(repeating: Entry(), count: Self.size)
    }

    deinit {
        entries.deinitialize(count: Self.size)
        entries.deallocate()
    }

    /// Returns the string of at most ``maximumBytes`` bytes, whose prefix the caller knows.
    @inline(__always)
    func string(_ bytes: UnsafeRawBufferPointer, prefix low: UInt64) -> LuaString {
        let count = bytes.count
        var high: UInt64 = 0
        if count > 8, let start = bytes.baseAddress {
            high = start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        }
        let hash = (low ^ (high &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(truncatingIfNeeded: count)) &* 0xFF51_AFD7_ED55_8CCD
        let entry = entries + Int(truncatingIfNeeded: hash >> 58)
        if entry.pointee.low == low && entry.pointee.high == high && entry.pointee.count == count {
            return entry.pointee.string
        }
        let string = LuaString(bytes)
        entry.pointee = Entry(low: low, high: high, count: count, string: string)
        return string
    }
}
