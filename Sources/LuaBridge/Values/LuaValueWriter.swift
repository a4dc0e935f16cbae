import CLuaShims

/// Writes the values of one call, one after the other.
///
/// Types that conform to ``LuaRepresentable`` write themselves to it.
public struct LuaValueWriter: ~Copyable {
    // Unmanaged: a writer cannot be copied, so it ends before the call that it was made for.
    let core: Unmanaged<LuaCore>
    @usableFromInline var bytes: UnsafeMutableRawPointer
    @usableFromInline var capacity: Int
    @usableFromInline var count = 0
    @usableFromInline var values = 0
    /// Whether nothing but numbers and booleans was written.
    var isPlain = true
    /// The values that were written, those in tables too.
    var nodes: UInt32 = 0

    private init(core: Unmanaged<LuaCore>, bytes: UnsafeMutableRawPointer, capacity: Int) {
        self.core = core
        self.bytes = bytes
        self.capacity = capacity
    }

    /// A writer for the tape of a state, which is no longer read.
    @usableFromInline
    static func answering(_ core: Unmanaged<LuaCore>) -> LuaValueWriter {
        guard let tape = core._withUnsafeGuaranteedRef({ $0.tape }) else { trap("the LuaState is closed") }
        return LuaValueWriter(
            core: core, bytes: UnsafeMutableRawPointer(tape.pointee.bytes), capacity: tape.pointee.capacity)
    }

    /// Makes room; the bytes may move.
    @usableFromInline
    mutating func grow(by bytes: Int) throws(LuaError) {
        try core.takeUnretainedValue().grow(&self, by: bytes)
    }

    @inlinable @inline(__always)
    mutating func put<T: BitwiseCopyable>(_ tag: UInt8, _ value: T) throws(LuaError) {
        if capacity - count < 9 { try grow(by: 64) }
        bytes.storeBytes(of: tag, toByteOffset: count, as: UInt8.self)
        bytes.storeBytes(of: value, toByteOffset: count + 1, as: T.self)
        count &+= 1 &+ MemoryLayout<T>.size
        values &+= 1
    }

    /// Writes an integer.
    ///
    /// - Parameter value: The integer.
    /// - Throws: ``LuaError/memoryLimit(_:)`` when there is no memory.
    @inlinable @inline(__always)
    public mutating func write(_ value: Int64) throws(LuaError) {
        try put(TapeTag.integer, value)
    }

    /// Writes a float.
    ///
    /// - Parameter value: The float.
    /// - Throws: ``LuaError/memoryLimit(_:)`` when there is no memory.
    @inlinable @inline(__always)
    public mutating func write(_ value: Double) throws(LuaError) {
        try put(TapeTag.number, value)
    }

    /// Writes a boolean.
    ///
    /// - Parameter value: The boolean.
    /// - Throws: ``LuaError/memoryLimit(_:)`` when there is no memory.
    @inlinable @inline(__always)
    public mutating func write(_ value: Bool) throws(LuaError) {
        if capacity - count < 9 { try grow(by: 64) }
        bytes.storeBytes(
            of: value ? TapeTag.trueValue : TapeTag.falseValue, toByteOffset: count, as: UInt8.self)
        count += 1
        values += 1
    }
}
