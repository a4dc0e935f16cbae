import GlassBase

/// Measures what the functions of a market use, for code that holds the market and is charged for it.
package final class MarketMeter: Sendable {
    private let contents = Lock<(memory: Int, cpuTime: Duration)>((0, .zero))

    /// Creates a meter that starts at zero.
    package init() {}

    /// The memory of the functions' Lua state when a function last ran, in bytes.
    package var memory: Int { contents.withLock { $0.memory } }

    /// The CPU time of all functions since the market was loaded.
    package var cpuTime: Duration { contents.withLock { $0.cpuTime } }

    /// Records what a run used.
    package func add(cpuTime: Duration, memory: Int) {
        contents.withLock { contents in
            contents.memory = memory
            contents.cpuTime += cpuTime
        }
    }
}
