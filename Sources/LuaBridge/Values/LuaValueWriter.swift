import CLuaShims

/// Writes the values of one call in order.
///
/// Types that conform to ``LuaRepresentable`` write themselves to it.
public struct LuaValueWriter: ~Copyable {
    // Four words, because a larger structure is not returned in registers. Each call would then wait for the words that
    // it had just written to come back from memory, a tenth of its time.

    // Unmanaged: a writer cannot be copied, so it ends before the call for which it was created.
    let core: Unmanaged<LuaCore>
    /// The address of the next byte.
    @usableFromInline var next: UnsafeMutableRawPointer
    /// The end of the buffer.
    @usableFromInline var end: UnsafeMutableRawPointer
    @usableFromInline var values: UInt32 = 0
    /// The number of values that were written, including those in tables, but not numbers and booleans at the top
    /// level.
    var nodes: UInt32 = 0

    private init(core: Unmanaged<LuaCore>, bytes: UnsafeMutableRawPointer, capacity: Int) {
        self.core = core
        next = bytes
        end = bytes + capacity
    }

    /// Whether only numbers and booleans were written.
    var isPlain: Bool { nodes == 0 }

    /// A writer for the results of a function that has done its work.
    @usableFromInline
    static func settling(_ core: Unmanaged<LuaCore>) -> LuaValueWriter {
        core._withUnsafeGuaranteedRef { $0.settle() }
        return answering(core)
    }

    /// A writer for the tape of a state, whose contents are no longer read.
    static func answering(_ core: Unmanaged<LuaCore>) -> LuaValueWriter {
        guard let tape = core._withUnsafeGuaranteedRef({ $0.tape }) else { trap("the LuaState is closed") }
        return LuaValueWriter(
            core: core, bytes: UnsafeMutableRawPointer(tape.pointee.bytes), capacity: tape.pointee.capacity)
    }

    /// Makes room. The bytes may move.
    @usableFromInline
    mutating func grow(by bytes: Int) throws(LuaError) {
        try core.takeUnretainedValue().grow(&self, by: bytes)
    }

    @inlinable @inline(__always)
    mutating func put<T: BitwiseCopyable>(_ tag: UInt8, _ value: T) throws(LuaError) {
        if end - next < 9 { try grow(by: 64) }
        next.storeBytes(of: tag, as: UInt8.self)
        next.storeBytes(of: value, toByteOffset: 1, as: T.self)
        next += 1 &+ MemoryLayout<T>.size
        values &+= 1
    }

    /// Writes an integer.
    ///
    /// - Parameter value: The integer.
    /// - Throws: ``LuaError/memoryLimit(_:)`` if there is not enough memory.
    @inlinable @inline(__always)
    public mutating func write(_ value: Int64) throws(LuaError) {
        try put(TapeTag.integer, value)
    }

    /// Writes a float.
    ///
    /// - Parameter value: The float.
    /// - Throws: ``LuaError/memoryLimit(_:)`` if there is not enough memory.
    @inlinable @inline(__always)
    public mutating func write(_ value: Double) throws(LuaError) {
        try put(TapeTag.number, value)
    }

    /// Writes a boolean.
    ///
    /// - Parameter value: The boolean.
    /// - Throws: ``LuaError/memoryLimit(_:)`` if there is not enough memory.
    @inlinable @inline(__always)
    public mutating func write(_ value: Bool) throws(LuaError) {
        if end - next < 9 { try grow(by: 64) }
        next.storeBytes(of: value ? TapeTag.trueValue : TapeTag.falseValue, as: UInt8.self)
        next += 1
        values &+= 1
    }
}
