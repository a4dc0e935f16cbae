import CLuaShims

/// Writes the values of one call, one after the other.
///
/// Types that conform to ``LuaRepresentable`` write themselves to it.
public struct LuaValueWriter: ~Copyable {
    // Four words, because more are not returned in registers: each call then waited for the words that it had just
    // written to come back from memory, a tenth of its time.

    // Unmanaged: a writer cannot be copied, so it ends before the call that it was made for.
    let core: Unmanaged<LuaCore>
    /// Where the next byte goes.
    @usableFromInline var next: UnsafeMutableRawPointer
    /// Where the room ends.
    @usableFromInline var end: UnsafeMutableRawPointer
    @usableFromInline var values: UInt32 = 0
    /// The values that were written, those in tables too, but for numbers and booleans by themselves.
    var nodes: UInt32 = 0

    private init(core: Unmanaged<LuaCore>, bytes: UnsafeMutableRawPointer, capacity: Int) {
        self.core = core
        next = bytes
        end = bytes + capacity
    }

    /// Whether nothing but numbers and booleans was written.
    var isPlain: Bool { nodes == 0 }

    /// A writer for the results of a function that has done its work.
    @usableFromInline
    static func settling(_ core: Unmanaged<LuaCore>) -> LuaValueWriter {
        core._withUnsafeGuaranteedRef { $0.settle() }
        return answering(core)
    }

    /// A writer for the tape of a state, which is no longer read.
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
        if end - next < 9 { try grow(by: 64) }
        next.storeBytes(of: tag, as: UInt8.self)
        next.storeBytes(of: value, toByteOffset: 1, as: T.self)
        next += 1 &+ MemoryLayout<T>.size
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
        if end - next < 9 { try grow(by: 64) }
        next.storeBytes(of: value ? TapeTag.trueValue : TapeTag.falseValue, as: UInt8.self)
        next += 1
        values &+= 1
    }
}
