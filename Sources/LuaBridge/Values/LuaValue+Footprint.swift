extension LuaValue {
    /// The bytes that the value takes in Swift, as nearly as the account of memory needs them. O(values in it).
    ///
    /// What two values share counts for both.
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
    /// A string of up to 15 bytes stands in its place, a longer one in a block with a head.
    fileprivate var footprint: Int { count > 15 ? count + 32 : 0 }
}

extension LuaTable {
    fileprivate var footprint: Int {
        // The storage, the heads of its arrays, and for each field its share of prefixes and index.
        var bytes = 192
        for element in array { bytes += element.footprint }
        for field in fields { bytes += field.key.footprint + field.value.footprint + 16 }
        return bytes
    }
}
