import CLuaShims

/// Reads values from the bytes that C wrote.
struct TapeReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset: Int
    private let core: LuaCore

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0, core: LuaCore) {
        self.bytes = bytes
        self.offset = offset
        self.core = core
    }

    static func malformed() -> LuaError {
        .tooLarge(keyPath: "", LuaErrorDetail(message: "the bytes between Lua and Swift are damaged"))
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
        // Each value takes one byte at least, so a damaged count cannot reserve more than there is.
        guard count <= bytes.count - offset else { throw Self.malformed() }
        var values: [LuaValue] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try element(depth: depth)) }
        return values
    }

    /// A value, most often a scalar, without the call that a nested one takes.
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
        return text.count <= NameCache.mostBytes
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
        let hasPrefixes = fieldCount <= LuaTable.mostPrefixes
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

    /// A key with its prefix; no string has the one of a key that is none.
    @inline(__always)
    private mutating func key(depth: Int) throws(LuaError) -> (LuaValue, prefix: UInt64) {
        guard bytes.count &- offset > 0, let start = bytes.baseAddress,
            Int32(start.load(fromByteOffset: offset, as: UInt8.self)) == GLUA_TAG_STRING
        else { return (try value(depth: depth), .max) }
        offset &+= 1
        let text = try text()
        let prefix = LuaString.prefix(text)
        let name = text.count <= NameCache.mostBytes ? core.names.string(text, prefix: prefix) : LuaString(text)
        return (.string(name), prefix)
    }
}

/// Writes values as the bytes that C reads.
struct TapeWriter {
    private let tape: UnsafeMutablePointer<glua_tape>
    private let limits: glua_limits
    private let core: LuaCore
    private var nodes: UInt32 = 0

    /// Writes after what the tape holds; empty it first for a new message.
    init(core: LuaCore, tape: UnsafeMutablePointer<glua_tape>, limits: glua_limits) {
        self.core = core
        self.tape = tape
        self.limits = limits
    }

    private func reserve(_ count: Int) throws(LuaError) {
        guard tape.pointee.capacity - tape.pointee.count < count else { return }
        guard glua_tape_reserve(tape, count) else {
            throw .memoryLimit(LuaErrorDetail(message: "there is no memory for the values"))
        }
    }

    private func put<T: BitwiseCopyable>(_ tag: Int32, _ value: T) throws(LuaError) {
        try reserve(1 + MemoryLayout<T>.size)
        tape.pointee.bytes[tape.pointee.count] = UInt8(truncatingIfNeeded: tag)
        UnsafeMutableRawPointer(tape.pointee.bytes + (tape.pointee.count + 1)).storeBytes(of: value, as: T.self)
        tape.pointee.count += 1 + MemoryLayout<T>.size
    }

    private func put(_ tag: Int32) throws(LuaError) {
        try reserve(1)
        tape.pointee.bytes[tape.pointee.count] = UInt8(truncatingIfNeeded: tag)
        tape.pointee.count += 1
    }

    mutating func write(_ values: [LuaValue]) throws(LuaError) {
        for value in values {
            try write(value, depth: 0)
            tape.pointee.values += 1
        }
    }

    private mutating func write(_ value: LuaValue, depth: UInt32) throws(LuaError) {
        nodes += 1
        guard nodes <= limits.tape_nodes, tape.pointee.count <= limits.tape_bytes else { throw tooLarge() }
        switch value {
        case .nil: try put(GLUA_TAG_NIL)
        case .boolean(let value): try put(value ? GLUA_TAG_TRUE : GLUA_TAG_FALSE)
        case .integer(let value): try put(GLUA_TAG_INTEGER, value)
        case .number(let value): try put(GLUA_TAG_NUMBER, value)
        case .string(let value): try write(value)
        case .table(let value): try write(value, depth: depth)
        case .function(let value):
            guard value.core === core else { trap("a function of another LuaState was passed to this one") }
            try put(GLUA_TAG_FUNCTION, value.slot)
        case .object(let value):
            guard value.core === core else { trap("an object of another LuaState was passed to this one") }
            try put(GLUA_TAG_OBJECT, value.slot)
        case .coroutine(let value):
            guard value.core === core else { trap("a coroutine of another LuaState was passed to this one") }
            try put(GLUA_TAG_THREAD, value.slot)
        case .opaque:
            throw .conversion(
                keyPath: "", LuaErrorDetail(message: "a userdata that is no Swift object cannot be passed to Lua"))
        }
    }

    private func tooLarge() -> LuaError {
        .tooLarge(keyPath: "", LuaErrorDetail(message: "there is too much data for one call into Lua"))
    }

    private func write(_ string: LuaString) throws(LuaError) {
        let count = string.count
        guard count <= limits.tape_bytes, count <= Int(UInt32.max) else { throw tooLarge() }
        try put(GLUA_TAG_STRING, UInt32(count))
        try reserve(count)
        string.withBytes { bytes in
            guard let source = bytes.baseAddress else { return }
            UnsafeMutableRawPointer(tape.pointee.bytes + tape.pointee.count)
                .copyMemory(from: source, byteCount: bytes.count)
        }
        tape.pointee.count += count
    }

    private mutating func write(_ table: LuaTable, depth: UInt32) throws(LuaError) {
        guard depth < limits.tape_depth else {
            throw .tooDeep(keyPath: "", LuaErrorDetail(message: "tables are nested too deeply"))
        }
        try put(GLUA_TAG_TABLE, UInt32(table.array.count))
        try reserve(4)
        UnsafeMutableRawPointer(tape.pointee.bytes + tape.pointee.count)
            .storeBytes(of: UInt32(table.fields.count), as: UInt32.self)
        tape.pointee.count += 4
        for value in table.array { try write(value, depth: depth + 1) }
        for field in table.fields {
            switch field.key {
            case .boolean, .integer, .string: break
            case .number(let number) where !number.isNaN: break
            default:
                let shown = if case .number = field.key { "NaN" } else { field.key.typeName }
                throw .conversion(
                    keyPath: "",
                    LuaErrorDetail(message: "a key must be a string, a number or a boolean, not \(shown)")
                )
            }
            try write(field.key, depth: depth + 1)
            try write(field.value, depth: depth + 1)
        }
    }
}
