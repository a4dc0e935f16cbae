extension LuaValue: LuaConvertible {
    /// The value itself.
    public var luaValue: LuaValue { self }

    /// Reads the next value.
    ///
    /// - Parameter reader: The reader.
    /// - Throws: ``LuaError/conversion(keyPath:_:)`` if it has another type.
    public init(from reader: inout LuaValueReader) throws(LuaError) {
        self = try reader.next()
    }
}

extension Int: LuaConvertible {
    /// The integer.
    public var luaValue: LuaValue { .integer(Int64(self)) }

    /// Reads the next value.
    ///
    /// - Parameter reader: The reader.
    /// - Throws: ``LuaError/conversion(keyPath:_:)`` if it has another type.
    @inlinable @inline(__always)
    public init(from reader: inout LuaValueReader) throws(LuaError) {
        if let value = reader.nextInteger() {
            self = Int(truncatingIfNeeded: value)
        } else {
            self = Int(truncatingIfNeeded: try reader.exactInteger())
        }
    }

    /// Writes the value.
    ///
    /// - Parameter writer: The writer.
    /// - Throws: ``LuaError/memoryLimit(_:)`` if there is not enough memory.
    @inlinable @inline(__always)
    public func write(to writer: inout LuaValueWriter) throws(LuaError) {
        try writer.write(Int64(self))
    }
}

extension Int64: LuaConvertible {
    /// The integer.
    public var luaValue: LuaValue { .integer(self) }

    /// Reads the next value.
    ///
    /// - Parameter reader: The reader.
    /// - Throws: ``LuaError/conversion(keyPath:_:)`` if it has another type.
    @inlinable @inline(__always)
    public init(from reader: inout LuaValueReader) throws(LuaError) {
        if let value = reader.nextInteger() {
            self = value
        } else {
            self = try reader.exactInteger()
        }
    }

    /// Writes the value.
    ///
    /// - Parameter writer: The writer.
    /// - Throws: ``LuaError/memoryLimit(_:)`` if there is not enough memory.
    @inlinable @inline(__always)
    public func write(to writer: inout LuaValueWriter) throws(LuaError) {
        try writer.write(self)
    }
}

extension LuaRepresentable where Self: FixedWidthInteger {
    /// The integer. Traps if it does not fit in a Lua integer.
    public var luaValue: LuaValue { .integer(Int64(self)) }
}

extension LuaInitializable where Self: FixedWidthInteger {
    /// Reads the next value.
    ///
    /// - Parameter reader: The reader.
    /// - Throws: ``LuaError/conversion(keyPath:_:)`` if it has another type, or is an integer outside the range of the
    ///   type.
    public init(from reader: inout LuaValueReader) throws(LuaError) {
        self = try reader.exactInteger(Self.self)
    }
}

extension Int8: LuaConvertible {}
extension Int16: LuaConvertible {}
extension Int32: LuaConvertible {}
extension UInt8: LuaConvertible {}
extension UInt16: LuaConvertible {}
extension UInt32: LuaConvertible {}

extension Double: LuaConvertible {
    /// The float.
    public var luaValue: LuaValue { .number(self) }

    /// Reads the next value.
    ///
    /// - Parameter reader: The reader.
    /// - Throws: ``LuaError/conversion(keyPath:_:)`` if it has another type.
    @inlinable @inline(__always)
    public init(from reader: inout LuaValueReader) throws(LuaError) {
        if let value = reader.nextNumber() {
            self = value
        } else {
            self = try reader.anyNumber()
        }
    }

    /// Writes the value.
    ///
    /// - Parameter writer: The writer.
    /// - Throws: ``LuaError/memoryLimit(_:)`` if there is not enough memory.
    @inlinable @inline(__always)
    public func write(to writer: inout LuaValueWriter) throws(LuaError) {
        try writer.write(self)
    }
}

extension Bool: LuaConvertible {
    /// The boolean.
    public var luaValue: LuaValue { .boolean(self) }

    /// Reads the next value.
    ///
    /// - Parameter reader: The reader.
    /// - Throws: ``LuaError/conversion(keyPath:_:)`` if it has another type.
    public init(from reader: inout LuaValueReader) throws(LuaError) {
        let value = try reader.next()
        guard case .boolean(let flag) = value else { throw reader.mismatch(expected: "true or false", got: value) }
        self = flag
    }

    /// Writes the value.
    ///
    /// - Parameter writer: The writer.
    /// - Throws: ``LuaError/memoryLimit(_:)`` if there is not enough memory.
    @inlinable @inline(__always)
    public func write(to writer: inout LuaValueWriter) throws(LuaError) {
        try writer.write(self)
    }
}

extension String: LuaConvertible {
    /// The string.
    public var luaValue: LuaValue { .string(LuaString(self)) }

    /// Reads the next value.
    ///
    /// - Parameter reader: The reader.
    /// - Throws: ``LuaError/conversion(keyPath:_:)`` if it has another type.
    public init(from reader: inout LuaValueReader) throws(LuaError) {
        let value = try reader.next()
        guard case .string(let string) = value else { throw reader.mismatch(expected: "a string", got: value) }
        guard let text = string.text else { throw reader.mismatch(expected: "a string that is UTF-8", got: value) }
        self = text
    }
}

extension LuaString: LuaConvertible {
    /// The string.
    public var luaValue: LuaValue { .string(self) }

    /// Reads the next value.
    ///
    /// - Parameter reader: The reader.
    /// - Throws: ``LuaError/conversion(keyPath:_:)`` if it has another type.
    public init(from reader: inout LuaValueReader) throws(LuaError) {
        let value = try reader.next()
        guard case .string(let string) = value else { throw reader.mismatch(expected: "a string", got: value) }
        self = string
    }
}

extension LuaTable: LuaConvertible {
    /// The table.
    public var luaValue: LuaValue { .table(self) }

    /// Reads the next value.
    ///
    /// - Parameter reader: The reader.
    /// - Throws: ``LuaError/conversion(keyPath:_:)`` if it has another type.
    public init(from reader: inout LuaValueReader) throws(LuaError) {
        let value = try reader.next()
        guard case .table(let table) = value else { throw reader.mismatch(expected: "a table", got: value) }
        self = table
    }
}

extension Optional: LuaRepresentable where Wrapped: LuaRepresentable {
    /// The value, or `nil`.
    public var luaValue: LuaValue { map(\.luaValue) ?? .nil }
}

extension Optional: LuaInitializable where Wrapped: LuaInitializable {
    /// Reads the next value.
    ///
    /// - Parameter reader: The reader.
    /// - Throws: ``LuaError/conversion(keyPath:_:)`` if it has another type.
    public init(from reader: inout LuaValueReader) throws(LuaError) {
        if reader.isNextNil {
            _ = try reader.next()
            self = nil
        } else {
            self = try Wrapped(from: &reader)
        }
    }
}

extension Array: LuaRepresentable where Element: LuaRepresentable {
    /// The elements as a list.
    public var luaValue: LuaValue { .table(LuaTable(array: map(\.luaValue))) }
}

extension Array: LuaInitializable where Element: LuaInitializable {
    /// Reads the next value, a list.
    ///
    /// - Parameter reader: The reader.
    /// - Throws: ``LuaError/conversion(keyPath:_:)`` if it or an element has another type.
    public init(from reader: inout LuaValueReader) throws(LuaError) {
        self = try reader.list(of: Element.self)
    }
}

extension Dictionary: LuaInitializable where Key == String, Value: LuaInitializable {
    /// Reads the next value, a table whose keys are strings.
    ///
    /// - Parameter reader: The reader.
    /// - Throws: ``LuaError/conversion(keyPath:_:)`` if it or a value has another type.
    public init(from reader: inout LuaValueReader) throws(LuaError) {
        self = try reader.dictionary(of: Value.self)
    }
}

extension Dictionary: LuaRepresentable where Key == String, Value: LuaRepresentable {
    /// The entries as a table, in the order of their keys.
    public var luaValue: LuaValue {
        .table(LuaTable(fields: sorted { $0.key < $1.key }.map { ($0.key, $0.value.luaValue) }))
    }
}

extension LuaValueReader {
    /// Whether the next value is `nil`, or there is none.
    var isNextNil: Bool {
        guard position < values, offset < count, let bytes else { return true }
        return bytes.load(fromByteOffset: offset, as: UInt8.self) == 0
    }

    /// An integer, including one from a float without a fraction.
    ///
    /// Not generic: if `Int.init(from:)` calls a generic function, Swift 6.3 looks up the initializer in its witness
    /// table for each value instead of calling it.
    @usableFromInline
    mutating func exactInteger() throws(LuaError) -> Int64 { try exactInteger(Int64.self) }

    mutating func exactInteger<T: FixedWidthInteger>(_ type: T.Type) throws(LuaError) -> T {
        let value = try next()
        switch value {
        case .integer(let integer):
            if let integer = T(exactly: integer) { return integer }
        case .number(let number):
            if let integer = T(exactly: number) { return integer }
        default: throw mismatch(expected: "an integer", got: value)
        }
        throw mismatch(expected: "an integer from \(T.min) to \(T.max)", got: value)
    }

    /// A number as a float.
    @usableFromInline
    mutating func anyNumber() throws(LuaError) -> Double {
        let value = try next()
        guard let number = value.numberValue else { throw mismatch(expected: "a number", got: value) }
        return number
    }
}

extension LuaFunction: LuaRepresentable {
    /// The function.
    public var luaValue: LuaValue { .function(self) }
}
