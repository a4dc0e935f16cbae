import CLuaShims
import GlassBase

/// The resources that one evaluation may use.
///
/// Each limit has its own ``LuaError`` case. The error is sticky: no Lua code can continue until the evaluation ends.
///
/// ```swift
/// var limits = LuaLimits.config
/// limits.cpuTime = .milliseconds(50)
/// ```
public struct LuaLimits: Sendable, Equatable {
    /// The CPU time of the state's thread.
    public var cpuTime: Duration
    /// The wall-clock time; nil for no limit.
    public var wallTime: Duration?
    /// The number of virtual machine instructions, counted in steps of 1,000, including the work of library loops.
    public var instructions: Int
    /// The memory that the state may hold, in bytes.
    public var memory: Int
    /// The size of one chunk in bytes.
    public var sourceSize: Int
    /// The number of bytes that `print` may write.
    public var outputSize: Int
    /// The nesting depth of tables that are passed between Lua and Swift at once; at most 250.
    public var tapeDepth: Int
    /// The number of values that are passed at once, including keys.
    public var tapeNodes: Int
    /// The number of bytes that are passed at once.
    public var tapeBytes: Int

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - cpuTime: The CPU time.
    ///   - wallTime: The wall-clock time, or nil.
    ///   - instructions: The number of virtual machine instructions.
    ///   - memory: The memory that the state may hold, in bytes.
    ///   - sourceSize: The size of one chunk, in bytes.
    ///   - outputSize: The number of bytes that `print` may write.
    ///   - tapeDepth: The nesting depth of tables that are passed at once.
    ///   - tapeNodes: The number of values that are passed at once.
    ///   - tapeBytes: The number of bytes that are passed at once.
    public init(
        cpuTime: Duration,
        wallTime: Duration? = nil,
        instructions: Int = 1_000_000_000_000,
        memory: Int,
        sourceSize: Int = 64 * 1024,
        outputSize: Int = 64 * 1024,
        tapeDepth: Int = 64,
        tapeNodes: Int = 100_000,
        tapeBytes: Int = 1024 * 1024
    ) {
        self.cpuTime = cpuTime
        self.wallTime = wallTime
        self.instructions = instructions
        self.memory = memory
        self.sourceSize = sourceSize
        self.outputSize = outputSize
        self.tapeDepth = tapeDepth
        self.tapeNodes = tapeNodes
        self.tapeBytes = tapeBytes
    }

    /// The limits for configuration files: 200 ms, 16 MB, 64 KB of source. A debug build has four times the time,
    /// because its code is not optimized.
    public static let config = LuaLimits(
        cpuTime: .milliseconds(200) * BuildSpeed.slowdownOfLua, memory: 16 * 1024 * 1024)

    /// The limits for scripts: 30 s, 256 MB, 1 MB of source, 16 MB of output. A debug build has four times the time.
    public static let script = LuaLimits(
        cpuTime: .seconds(30) * BuildSpeed.slowdownOfLua,
        memory: 256 * 1024 * 1024,
        sourceSize: 1024 * 1024,
        outputSize: 16 * 1024 * 1024
    )

    var shim: glua_limits {
        glua_limits(
            cpu_ns: Self.nanoseconds(cpuTime),
            // At least 1, because 0 means no limit.
            wall_ns: wallTime.map { max(1, Self.nanoseconds($0)) } ?? 0,
            instructions: UInt64(max(0, instructions)),
            memory: max(0, memory),
            source: max(0, sourceSize),
            output: max(0, outputSize),
            tape_depth: UInt32(min(max(0, tapeDepth), 250)),
            tape_nodes: UInt32(clamping: tapeNodes),
            tape_bytes: max(0, tapeBytes)
        )
    }

    static func nanoseconds(_ duration: Duration) -> UInt64 {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 1_000_000_000 else { return 1_000_000_000_000_000_000 }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
