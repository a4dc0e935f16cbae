import GlassBase

/// The resources that all handlers of one link have used, regardless of how many decline it and how long it waits in
/// between.
///
/// The router creates one for each opened link and passes it on with the link. A handler that runs under limits gets
/// the remainder and records its own usage.
package final class HandlerBudget: Sendable {
    /// The resources used.
    package struct Usage: Sendable {
        /// CPU time.
        package var cpuTime = Duration.zero
        /// The number of instructions.
        package var instructions = 0
    }

    private let state = Lock(Usage())

    /// Creates an unused budget.
    package init() {}

    /// The resources used so far.
    package var used: Usage { state.withLock { $0 } }

    /// Adds the usage of a handler.
    package func add(cpuTime: Duration, instructions: Int) {
        state.withLock { used in
            used.cpuTime += cpuTime
            used.instructions += instructions
        }
    }
}
