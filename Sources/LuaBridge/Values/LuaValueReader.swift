/// The contents of a tape, in four words, which functions return in registers.
@usableFromInline
struct ValueBuffer {
    @usableFromInline let core: Unmanaged<LuaCore>
    @usableFromInline let bytes: UnsafeRawPointer?
    @usableFromInline let count: Int
    /// The values at the top level.
    @usableFromInline let values: Int
}

/// Reads the values of one call in order.
///
/// Types that conform to ``LuaInitializable`` read themselves from it. Reading past the last value returns `nil`
/// values, as in Lua.
public struct LuaValueReader: ~Copyable {
    /// The role of the values, for messages.
    @usableFromInline
    enum Role {
        case argument
        case result
    }

    // Unmanaged: a reader cannot be copied, so it ends before the call for which it was created.
    @usableFromInline let core: Unmanaged<LuaCore>
    @usableFromInline let bytes: UnsafeRawPointer?
    @usableFromInline let count: Int
    @usableFromInline let values: Int
    @usableFromInline var offset = 0
    @usableFromInline var position = 0
    @usableFromInline let role: Role
    /// For a reader of a table's contents: the number of the argument or result, and the offset of the key whose value
    /// is being read. They are numbers, because a reader without references costs nothing to destroy.
    @usableFromInline var outerPosition = 0
    @usableFromInline var keyOffset: Int?
    /// Whether the values that are read count toward the memory limit, as large arguments do.
    @usableFromInline let isCounted: Bool
    /// The memory of the values that were read, if they count, in bytes.
    @usableFromInline var footprint = 0

    @inlinable @inline(__always)
    init(results contents: ValueBuffer) {
        self.init(contents, role: .result, isCounted: false)
    }

    init(arguments contents: ValueBuffer) {
        self.init(contents, role: .argument, isCounted: contents.count > Self.smallTape)
    }

    @inlinable @inline(__always)
    init(_ contents: ValueBuffer, role: Role, isCounted: Bool) {
        core = contents.core
        bytes = contents.bytes
        count = contents.count
        values = contents.values
        self.role = role
        self.isCounted = isCounted
    }

    /// Arguments with fewer bytes are not counted.
    private static let smallTape = 4096

    /// The number of remaining values.
    @inlinable public var remaining: Int { values - position }

    /// Reads the next value without converting it.
    ///
    /// - Returns: The value; `nil` after the last.
    /// - Throws: ``LuaError/tooLarge(keyPath:_:)`` if the data between Lua and Swift is corrupt.
    public mutating func next() throws(LuaError) -> LuaValue {
        guard position < values, let bytes else {
            position += 1
            return .nil
        }
        position += 1
        var reader = ValueBufferReader(
            UnsafeRawBufferPointer(start: bytes, count: count), at: offset, core: core.takeUnretainedValue())
        let value = try reader.value()
        offset = reader.offset
        if isCounted { footprint += value.footprint }
        return value
    }

    /// Reads all remaining values.
    mutating func rest() throws(LuaError) -> [LuaValue] {
        guard position < values, let bytes else { return [] }
        var reader = ValueBufferReader(
            UnsafeRawBufferPointer(start: bytes, count: count), at: offset, core: core.takeUnretainedValue())
        let rest = try reader.values(values - position)
        offset = reader.offset
        position = values
        if isCounted { footprint += rest.reduce(0) { $0 + $1.footprint } }
        return rest
    }

    /// Ends the reading of arguments. The memory of large arguments counts until the call ends, because calls can be
    /// nested.
    @inlinable @inline(__always)
    func end() throws(LuaError) {
        if footprint > 0 { try hold() }
    }

    @usableFromInline
    func hold() throws(LuaError) {
        try core.takeUnretainedValue().holdArguments(bytes: footprint)
    }

    /// The interpreter, lent to the function that reads its arguments.
    var context: LuaContext {
        guard let context = core.takeUnretainedValue().context else {
            trap("Lua called a function outside LuaState.perform")
        }
        return context
    }

    /// Reads the next value if it is an integer; otherwise reads nothing.
    @inlinable @inline(__always)
    mutating func nextInteger() -> Int64? {
        guard position < values, count - offset >= 9, let bytes,
            bytes.load(fromByteOffset: offset, as: UInt8.self) == TapeTag.integer
        else { return nil }
        let value = bytes.loadUnaligned(fromByteOffset: offset + 1, as: Int64.self)
        offset &+= 9
        position &+= 1
        return value
    }

    /// Reads the next value if it is a float; otherwise reads nothing.
    @inlinable @inline(__always)
    mutating func nextNumber() -> Double? {
        guard position < values, count - offset >= 9, let bytes,
            bytes.load(fromByteOffset: offset, as: UInt8.self) == TapeTag.number
        else { return nil }
        let value = bytes.loadUnaligned(fromByteOffset: offset + 1, as: Double.self)
        offset &+= 9
        position &+= 1
        return value
    }

    /// Returns the error to throw if the value that was read last is not the expected one.
    ///
    /// - Parameters:
    ///   - expected: The expected value, such as `an integer`.
    ///   - value: The value.
    /// - Returns: An error that names the argument or result by its number.
    public func mismatch(expected: String, got value: LuaValue) -> LuaError {
        let shown = ValueDecoder(value: value).shown
        var place = role == .argument ? "argument" : "result"
        place += " \(outerPosition > 0 ? outerPosition : position)"
        if let keyOffset, let bytes {
            var reader = ValueBufferReader(
                UnsafeRawBufferPointer(start: bytes, count: count), at: keyOffset, core: core.takeUnretainedValue())
            let key = (try? reader.value())?.stringValue ?? ""  // it was read before, so it can be read
            place += ", key \"\(key)\""
        } else if outerPosition > 0 {
            place += ", element \(position)"
        }
        return .conversion(keyPath: "", LuaErrorDetail(message: "\(place): expected \(expected), got \(shown)"))
    }

    /// The size of the table that comes next, and the offset of its contents; nil if it is not a table.
    private func nextTable() -> (list: Int, fields: Int, offset: Int)? {
        guard position < values, count - offset >= 9, let bytes,
            bytes.load(fromByteOffset: offset, as: UInt8.self) == TapeTag.table
        else { return nil }
        let list = Int(bytes.loadUnaligned(fromByteOffset: offset + 1, as: UInt32.self))
        let fields = Int(bytes.loadUnaligned(fromByteOffset: offset + 5, as: UInt32.self))
        // Each value takes at least one byte, so corrupt counts cannot reserve more memory than the buffer has bytes.
        guard list + 2 * fields <= count - offset - 9 else { return nil }
        return (list, fields, offset + 9)
    }

    private func inside(_ values: Int, at offset: Int) -> LuaValueReader {
        let contents = ValueBuffer(core: core, bytes: bytes, count: count, values: values)
        var reader = LuaValueReader(contents, role: role, isCounted: role == .argument && count > Self.smallTape)
        reader.offset = offset
        reader.outerPosition = outerPosition > 0 ? outerPosition : position + 1
        return reader
    }

    /// Reads a list with elements of one type.
    mutating func list<Element: LuaInitializable>(of type: Element.Type) throws(LuaError) -> [Element] {
        guard let table = nextTable(), table.fields == 0 else {
            throw mismatch(expected: "a list", got: try next())
        }
        var inner = inside(table.list, at: table.offset)
        var list: [Element] = []
        list.reserveCapacity(table.list)
        while inner.remaining > 0 { list.append(try Element(from: &inner)) }
        offset = inner.offset
        position += 1
        if isCounted { footprint += inner.footprint + list.count * MemoryLayout<Element>.stride }
        return list
    }

    /// Reads a table with string keys and values of one type.
    mutating func dictionary<Value: LuaInitializable>(of type: Value.Type) throws(LuaError) -> [String: Value] {
        guard let table = nextTable(), table.list == 0 else {
            throw mismatch(expected: "a table whose keys are strings", got: try next())
        }
        var inner = inside(2 * table.fields, at: table.offset)
        var dictionary: [String: Value] = [:]
        dictionary.reserveCapacity(table.fields)
        while inner.remaining > 0 {
            let keyOffset = inner.offset
            guard let key = try inner.next().stringValue else {
                // The table is not read again, because each of its references can be claimed only once.
                position += 1
                throw mismatch(expected: "a table whose keys are strings", got: .table(LuaTable(array: [])))
            }
            inner.keyOffset = keyOffset
            dictionary[key] = try Value(from: &inner)
            inner.keyOffset = nil
        }
        offset = inner.offset
        position += 1
        if isCounted { footprint += inner.footprint + dictionary.count * MemoryLayout<(String, Value)>.stride }
        return dictionary
    }

    /// A writer for the results, after the function has done its work.
    @inlinable @inline(__always)
    func answer() -> LuaValueWriter { LuaValueWriter.settling(core) }
}

/// The kinds of values on the tape, by their numbers in C.
@usableFromInline
enum TapeTag {
    @inlinable static var falseValue: UInt8 { 1 }
    @inlinable static var trueValue: UInt8 { 2 }
    @inlinable static var integer: UInt8 { 3 }
    @inlinable static var number: UInt8 { 4 }
    static var table: UInt8 { 6 }
}
