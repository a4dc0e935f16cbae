/// One asynchronous construction of a kept instance.
final class AsyncBuild: @unchecked Sendable {  // the `var`s are guarded by the store's lock
    // The store that keeps the instance guards all but `generation`, which is constant.

    enum Outcome: Sendable {
        /// The instance that was made.
        case finished(any Sendable)
        case failed(any Error)
        /// The task that built was cancelled, which is no fault of those who wait.
        case abandoned
        /// The task that waits was cancelled.
        case cancelled
    }

    let generation: Int
    var waiters: [Int: CheckedContinuation<Outcome, Never>] = [:]
    /// Waiters that were cancelled before they began to wait.
    var cancelled: Set<Int> = []
    var waiterCount = 0
    var outcome: Outcome?

    init(generation: Int) {
        self.generation = generation
    }
}
