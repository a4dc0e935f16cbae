/// The resources that an evaluation has used.
public struct LuaUsage: Sendable, Equatable {
    /// Instructions of the virtual machine, counted in steps of 1,000, and the work of library loops.
    public var instructions: Int
    /// Processor time. A single call outside of ``LuaContext/evaluate(limits:_:)`` is timed from its first 1,000
    /// instructions on.
    public var cpuTime: Duration
    /// Bytes that the state holds now.
    public var memory: Int
    /// The most bytes that the state held during the evaluation.
    public var peakMemory: Int
    /// Bytes that `print` wrote.
    public var output: Int

    init(instructions: Int, cpuTime: Duration, memory: Int, peakMemory: Int, output: Int) {
        self.instructions = instructions
        self.cpuTime = cpuTime
        self.memory = memory
        self.peakMemory = peakMemory
        self.output = output
    }
}
