import CLuaShims

extension LuaValueWriter {
    /// Writes a value of any kind.
    ///
    /// - Parameter value: The value.
    /// - Throws: An error if the value cannot be passed.
    public mutating func write(_ value: LuaValue) throws(LuaError) {
        switch value {
        case .boolean(let flag): try write(flag)
        case .integer(let number): try write(number)
        case .number(let number): try write(number)
        default:
            try append(value, depth: 0, core.takeUnretainedValue().callLimits)
            values &+= 1
        }
    }

    private mutating func append(
        _ value: LuaValue, depth: UInt32, _ limits: UnsafePointer<glua_limits>
    ) throws(LuaError) {
        nodes += 1
        // All nodes of the call count, regardless of which of its values contains them.
        let count = core.takeUnretainedValue().count(of: self)
        guard nodes <= limits.pointee.tape_nodes, count <= limits.pointee.tape_bytes else { throw Self.tooLarge() }
        switch value {
        case .nil: try append(GLUA_TAG_NIL)
        case .boolean(let value): try append(value ? GLUA_TAG_TRUE : GLUA_TAG_FALSE)
        case .integer(let value): try append(GLUA_TAG_INTEGER, value)
        case .number(let value): try append(GLUA_TAG_NUMBER, value)
        case .string(let value): try append(value, limits)
        case .table(let value): try append(value, depth: depth, limits)
        case .function(let value):
            guard isOwn(value.core) else { trap("a function of another LuaState was passed to this one") }
            try append(GLUA_TAG_FUNCTION, value.slot)
        case .object(let value):
            guard isOwn(value.core) else { trap("an object of another LuaState was passed to this one") }
            try append(GLUA_TAG_OBJECT, value.slot)
        case .coroutine(let value):
            guard isOwn(value.core) else { trap("a coroutine of another LuaState was passed to this one") }
            try append(GLUA_TAG_THREAD, value.slot)
        case .opaque:
            throw .conversion(
                keyPath: "", LuaErrorDetail(message: "a userdata that is not a Swift object cannot be passed to Lua"))
        }
    }

    private func isOwn(_ core: LuaCore) -> Bool { self.core.toOpaque() == Unmanaged.passUnretained(core).toOpaque() }

    private static func tooLarge() -> LuaError {
        .tooLarge(keyPath: "", LuaErrorDetail(message: "there is too much data for one call into Lua"))
    }

    private mutating func reserve(_ bytes: Int) throws(LuaError) {
        if end - next < bytes { try grow(by: bytes) }
    }

    private mutating func append(_ tag: Int32) throws(LuaError) {
        try reserve(1)
        next.storeBytes(of: UInt8(truncatingIfNeeded: tag), as: UInt8.self)
        next += 1
    }

    private mutating func append<T: BitwiseCopyable>(_ tag: Int32, _ value: T) throws(LuaError) {
        try reserve(1 + MemoryLayout<T>.size)
        try append(tag)
        next.storeBytes(of: value, as: T.self)
        next += MemoryLayout<T>.size
    }

    private mutating func append(_ string: LuaString, _ limits: UnsafePointer<glua_limits>) throws(LuaError) {
        let length = string.count
        guard length <= limits.pointee.tape_bytes, length <= Int(UInt32.max) else { throw Self.tooLarge() }
        try append(GLUA_TAG_STRING, UInt32(length))
        try reserve(length)
        string.withBytes { source in
            if let start = source.baseAddress { next.copyMemory(from: start, byteCount: source.count) }
        }
        next += length
    }

    private mutating func append(
        _ table: LuaTable, depth: UInt32, _ limits: UnsafePointer<glua_limits>
    ) throws(LuaError) {
        guard depth < limits.pointee.tape_depth else {
            throw .tooDeep(keyPath: "", LuaErrorDetail(message: "tables are nested too deeply"))
        }
        if let check = table.keyCheck {
            guard isOwn(check.function.core) else { trap("a function of another LuaState was passed to this one") }
            try append(GLUA_TAG_CHECKED, check.function.slot)
            try reserve(4)
            next.storeBytes(of: check.number, as: UInt32.self)
            next += 4
        }
        try append(GLUA_TAG_TABLE, UInt32(table.array.count))
        try reserve(4)
        next.storeBytes(of: UInt32(table.fields.count), as: UInt32.self)
        next += 4
        for value in table.array { try append(value, depth: depth + 1, limits) }
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
            try append(field.key, depth: depth + 1, limits)
            try append(field.value, depth: depth + 1, limits)
        }
    }
}
