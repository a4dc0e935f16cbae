extension LuaValue {
    /// The approximate memory of the value in Swift, in bytes, for memory accounting. O(values in it).
    ///
    /// Storage that two values share counts for both.
    package var footprint: Int { MemoryLayout<LuaValue>.stride + held }

    private var held: Int {
        switch self {
        case .nil, .boolean, .integer, .number, .opaque: 0
        case .string(let string): string.footprint
        case .table(let table): table.footprint
        case .function, .object, .coroutine: 64
        }
    }
}

extension LuaString {
    /// A string of up to 15 bytes is stored in place, a longer one in a block with a header.
    fileprivate var footprint: Int { count > 15 ? count + 32 : 0 }
}

extension LuaTable {
    fileprivate var footprint: Int {
        // The storage, the headers of its arrays, and for each field its share of prefixes and index.
        var bytes = 192
        for element in array { bytes += element.footprint }
        for field in fields { bytes += field.key.footprint + field.value.footprint + 16 }
        return bytes
    }
}
