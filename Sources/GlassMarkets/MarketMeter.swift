import GlassBase

/// What the functions of a market have used: for those who hold the market and answer for it.
package final class MarketMeter: Sendable {
    private let contents = Lock<(memory: Int, cpuTime: Duration)>((0, .zero))

    /// Creates a meter of a market without functions.
    package init() {}

    /// The bytes that the functions' state held when one ran last.
    package var memory: Int { contents.withLock { $0.memory } }

    /// The CPU time of all that ran since the market was loaded.
    package var cpuTime: Duration { contents.withLock { $0.cpuTime } }

    /// Takes note of what a run used.
    package func add(cpuTime: Duration, memory: Int) {
        contents.withLock { contents in
            contents.memory = memory
            contents.cpuTime += cpuTime
        }
    }
}
