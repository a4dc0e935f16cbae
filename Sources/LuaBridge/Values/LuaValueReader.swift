/// Reads the values of one call, one after the other.
///
/// Types that conform to ``LuaInitializable`` read themselves from it. Reading past the last value gives `nil` values,
/// as in Lua.
public struct LuaValueReader: ~Copyable {
    /// Whose values they are, for messages.
    @usableFromInline
    enum Role {
        case argument
        case result
    }

    // Unmanaged: a reader cannot be copied, so it ends before the call that it was made for.
    private let core: Unmanaged<LuaCore>
    @usableFromInline let bytes: UnsafeRawPointer?
    @usableFromInline let count: Int
    @usableFromInline let values: Int
    @usableFromInline var offset = 0
    @usableFromInline var position = 0
    private let role: Role

    init(core: LuaCore, bytes: UnsafeRawPointer?, count: Int, values: Int, role: Role) {
        self.core = Unmanaged.passUnretained(core)
        self.bytes = bytes
        self.count = count
        self.values = values
        self.role = role
    }

    /// How many values are left.
    @inlinable public var remaining: Int { values - position }

    /// Reads the next value as it is.
    ///
    /// - Returns: The value; `nil` after the last.
    /// - Throws: ``LuaError/tooLarge(keyPath:_:)`` if the bytes between Lua and Swift are damaged.
    public mutating func next() throws(LuaError) -> LuaValue {
        guard position < values, let bytes else {
            position += 1
            return .nil
        }
        position += 1
        var reader = TapeReader(
            UnsafeRawBufferPointer(start: bytes, count: count), at: offset, core: core.takeUnretainedValue())
        let value = try reader.value()
        offset = reader.offset
        return value
    }

    /// The integer that comes next, if it is one; otherwise nothing is read.
    @inlinable
    mutating func nextInteger() -> Int64? {
        guard position < values, count - offset >= 9, let bytes,
            bytes.load(fromByteOffset: offset, as: UInt8.self) == TapeTag.integer
        else { return nil }
        let value = bytes.loadUnaligned(fromByteOffset: offset + 1, as: Int64.self)
        offset += 9
        position += 1
        return value
    }

    /// The float that comes next, if it is one; otherwise nothing is read.
    @inlinable
    mutating func nextNumber() -> Double? {
        guard position < values, count - offset >= 9, let bytes,
            bytes.load(fromByteOffset: offset, as: UInt8.self) == TapeTag.number
        else { return nil }
        let value = bytes.loadUnaligned(fromByteOffset: offset + 1, as: Double.self)
        offset += 9
        position += 1
        return value
    }

    /// What to throw when the value that was read last is not what is needed.
    ///
    /// - Parameters:
    ///   - expected: What is needed, such as `an integer`.
    ///   - value: The value.
    /// - Returns: An error that names the argument or result by its number.
    public func mismatch(expected: String, got value: LuaValue) -> LuaError {
        let shown = ValueDecoder(value: value).shown
        let who = role == .argument ? "argument" : "result"
        return .conversion(
            keyPath: "", LuaErrorDetail(message: "\(who) \(position): expected \(expected), got \(shown)"))
    }

    /// A writer for the answer, once all arguments are read.
    @usableFromInline
    func answer() -> LuaValueWriter { core.takeUnretainedValue().writer() }
}

/// The kinds of values on the tape, as C numbers them.
@usableFromInline
enum TapeTag {
    @inlinable static var falseValue: UInt8 { 1 }
    @inlinable static var trueValue: UInt8 { 2 }
    @inlinable static var integer: UInt8 { 3 }
    @inlinable static var number: UInt8 { 4 }
}
