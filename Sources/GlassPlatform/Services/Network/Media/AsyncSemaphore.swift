import GlassBase

/// Admits a limited number of tasks at a time, in the order in which they arrive.
final class AsyncSemaphore: Sendable {
    private struct State {
        var limit: Int
        var inside = 0
        var queue: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var ids = 0
    }

    private let state: Lock<State>

    init(limit: Int) { state = Lock(State(limit: limit)) }

    /// The number of waiting tasks.
    var waiting: Int { state.withLock { $0.queue.count } }

    /// Waits to be admitted. A matching ``leave()`` must follow.
    func enter() async throws(CancellationError) {
        let id = state.withLock { state in
            state.ids += 1
            return state.ids
        }
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // `Task.isCancelled` is set before the handler below runs, so either this check or the handler detects
                // a cancellation.
                let answer: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    if state.inside < state.limit {
                        state.inside += 1
                        return true
                    }
                    state.queue.append((id, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.queue.firstIndex { $0.id == id }.map { state.queue.remove(at: $0).continuation }
            }
            waiting?.resume(returning: false)
        }
        if !isIn { throw CancellationError() }
    }

    /// Admits the next task in the queue.
    func leave() {
        admit { $0.inside -= 1 }
    }

    /// Changes the limit. Tasks that have been admitted are not affected.
    func setLimit(_ limit: Int) {
        admit { $0.limit = limit }
    }

    private func admit(after change: (inout State) -> Void) {
        let admitted = state.withLock { state in
            change(&state)
            var admitted: [CheckedContinuation<Bool, Never>] = []
            while state.inside < state.limit, !state.queue.isEmpty {
                state.inside += 1
                admitted.append(state.queue.removeFirst().continuation)
            }
            return admitted
        }
        for continuation in admitted { continuation.resume(returning: true) }
    }
}
