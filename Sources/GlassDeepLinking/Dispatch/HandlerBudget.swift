import GlassBase

/// What the handlers of one link have used together, however many decline it, and however long it waits in between.
///
/// The router makes one for each link that is opened and hands it on with the link; a handler that runs under limits takes
/// what is left of them, and adds what it used.
package final class HandlerBudget: Sendable {
    /// What was used.
    package struct Usage: Sendable {
        /// Processor time.
        package var cpuTime = Duration.zero
        /// Instructions.
        package var instructions = 0
    }

    private let state = Lock(Usage())

    /// Creates the budget of a link that nobody was asked about yet.
    package init() {}

    /// What the handlers have used so far.
    package var used: Usage { state.withLock { $0 } }

    /// Adds what a handler used.
    package func add(cpuTime: Duration, instructions: Int) {
        state.withLock { used in
            used.cpuTime += cpuTime
            used.instructions += instructions
        }
    }
}
