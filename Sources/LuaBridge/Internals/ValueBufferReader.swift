import CLuaShims

/// Reads values from the bytes that C wrote.
struct ValueBufferReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset: Int
    private let core: LuaCore

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0, core: LuaCore) {
        self.bytes = bytes
        self.offset = offset
        self.core = core
    }

    static func malformed() -> LuaError {
        .tooLarge(keyPath: "", LuaErrorDetail(message: "the data between Lua and Swift is corrupt"))
    }

    @inline(__always)
    private mutating func take<T: BitwiseCopyable>(_ type: T.Type) throws(LuaError) -> T {
        guard bytes.count &- offset >= MemoryLayout<T>.size, let start = bytes.baseAddress else {
            throw Self.malformed()
        }
        let value = start.loadUnaligned(fromByteOffset: offset, as: type)
        offset &+= MemoryLayout<T>.size
        return value
    }

    mutating func values(_ count: Int, depth: Int = 0) throws(LuaError) -> [LuaValue] {
        if count == 0 { return [] }
        // Each value takes at least one byte, so a corrupt count cannot reserve more memory than the buffer has bytes.
        guard count <= bytes.count - offset else { throw Self.malformed() }
        var values: [LuaValue] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try element(depth: depth)) }
        return values
    }

    /// Reads a value, usually a scalar, without the function call that a nested value takes.
    @inline(__always)
    private mutating func element(depth: Int) throws(LuaError) -> LuaValue {
        guard bytes.count &- offset > 0, let start = bytes.baseAddress else { throw Self.malformed() }
        switch Int32(start.load(fromByteOffset: offset, as: UInt8.self)) {
        case GLUA_TAG_FALSE:
            offset &+= 1
            return .boolean(false)
        case GLUA_TAG_TRUE:
            offset &+= 1
            return .boolean(true)
        case GLUA_TAG_INTEGER:
            offset &+= 1
            return .integer(try take(Int64.self))
        case GLUA_TAG_NUMBER:
            offset &+= 1
            return .number(try take(Double.self))
        case GLUA_TAG_STRING:
            offset &+= 1
            return .string(try string())
        default: return try value(depth: depth)
        }
    }

    mutating func value(depth: Int = 0) throws(LuaError) -> LuaValue {
        guard depth < 256 else { throw Self.malformed() }
        switch Int32(try take(UInt8.self)) {
        case GLUA_TAG_NIL: return .nil
        case GLUA_TAG_FALSE: return .boolean(false)
        case GLUA_TAG_TRUE: return .boolean(true)
        case GLUA_TAG_INTEGER: return .integer(try take(Int64.self))
        case GLUA_TAG_NUMBER: return .number(try take(Double.self))
        case GLUA_TAG_STRING: return .string(try string())
        case GLUA_TAG_TABLE: return .table(try table(depth: depth))
        case GLUA_TAG_FUNCTION:
            let slot = try take(UInt32.self)
            core.claim(slot)
            return .function(LuaFunction(core: core, slot: slot, identity: try take(UInt64.self)))
        case GLUA_TAG_OBJECT:
            let slot = try take(UInt32.self)
            let identity = try take(UInt64.self)
            guard let pointer = UnsafeRawPointer(bitPattern: UInt(try take(UInt64.self))) else {
                throw Self.malformed()
            }
            core.claim(slot)
            let object = Unmanaged<HostObject>.fromOpaque(pointer).takeUnretainedValue()
            return .object(LuaObjectReference(core: core, slot: slot, identity: identity, host: object))
        case GLUA_TAG_THREAD:
            let slot = try take(UInt32.self)
            core.claim(slot)
            return .coroutine(LuaCoroutine(core: core, slot: slot, identity: try take(UInt64.self)))
        case GLUA_TAG_OPAQUE: return .opaque(.userdata)
        default: throw Self.malformed()
        }
    }

    @inline(__always)
    private mutating func text() throws(LuaError) -> UnsafeRawBufferPointer {
        let count = Int(try take(UInt32.self))
        guard bytes.count &- offset >= count, let start = bytes.baseAddress else { throw Self.malformed() }
        let text = UnsafeRawBufferPointer(start: start + offset, count: count)
        offset &+= count
        return text
    }

    @inline(__always)
    private mutating func string() throws(LuaError) -> LuaString {
        let text = try text()
        return text.count <= NameCache.maximumBytes
            ? core.names.string(text, prefix: LuaString.prefix(text)) : LuaString(text)
    }

    private mutating func table(depth: Int) throws(LuaError) -> LuaTable {
        let listCount = Int(try take(UInt32.self))
        let fieldCount = Int(try take(UInt32.self))
        guard listCount + 2 * fieldCount <= bytes.count - offset else { throw Self.malformed() }
        let list = try values(listCount, depth: depth + 1)
        guard fieldCount > 0 else {
            return LuaTable(array: list, orderedFields: [], prefixes: [], hasOnlyTextKeys: true)
        }
        var hasOnlyTextKeys = true
        var prefixes: [UInt64] = []
        let hasPrefixes = fieldCount <= LuaTable.maximumPrefixes
        if hasPrefixes { prefixes.reserveCapacity(fieldCount) }
        var fields: [LuaTable.Field] = []
        fields.reserveCapacity(fieldCount)
        for _ in 0..<fieldCount {
            let (key, prefix) = try key(depth: depth + 1)
            if hasPrefixes { prefixes.append(prefix) }
            if case .string(let name) = key, name.isText {} else { hasOnlyTextKeys = false }
            fields.append(LuaTable.Field(key: key, value: try element(depth: depth + 1)))
        }
        return LuaTable(
            array: list, orderedFields: fields, prefixes: prefixes, hasOnlyTextKeys: hasOnlyTextKeys)
    }

    /// A key with its prefix. A key that is not a string has a prefix that no string has.
    @inline(__always)
    private mutating func key(depth: Int) throws(LuaError) -> (LuaValue, prefix: UInt64) {
        guard bytes.count &- offset > 0, let start = bytes.baseAddress,
            Int32(start.load(fromByteOffset: offset, as: UInt8.self)) == GLUA_TAG_STRING
        else { return (try value(depth: depth), .max) }
        offset &+= 1
        let text = try text()
        let prefix = LuaString.prefix(text)
        let name = text.count <= NameCache.maximumBytes ? core.names.string(text, prefix: prefix) : LuaString(text)
        return (.string(name), prefix)
    }
}
