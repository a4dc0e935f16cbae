/// The resources that an evaluation has used.
public struct LuaUsage: Sendable, Equatable {
    /// The number of virtual machine instructions, counted in steps of 1,000, including the work of library loops.
    public var instructions: Int
    /// The CPU time. For a single call outside ``LuaContext/evaluate(limits:_:)``, it starts after the first 1,000
    /// instructions.
    public var cpuTime: Duration
    /// The memory that the state holds now, in bytes.
    public var memory: Int
    /// The maximum memory that the state held during the evaluation, in bytes.
    public var peakMemory: Int
    /// The number of bytes that `print` wrote.
    public var output: Int
}
