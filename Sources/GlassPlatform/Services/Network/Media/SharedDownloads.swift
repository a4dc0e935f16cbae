import GlassBase
import GlassDeepLinking

/// Runs one piece of work per key for all of its waiters. The work is canceled when the last waiter leaves.
final class SharedDownloads<Value: Sendable, Failure: Error>: Sendable {
    typealias Outcome = Result<Value, Failure>

    private struct Flight {
        let id: Int
        var task: Task<Void, Never>?
        var waiters: [Int: CheckedContinuation<Outcome, Never>]
    }

    private struct State {
        var flights: [String: Flight] = [:]
        var ids = 0
    }

    private enum JoinResult {
        case left
        case joined
        case first(flight: Int)
    }

    private let state = Lock(State())

    /// The number of waiters for a key.
    func waiting(for key: String) -> Int { state.withLock { $0.flights[key]?.waiters.count ?? 0 } }

    /// Waits for the work of a key, starting it if necessary.
    func outcome(
        for key: String, ifCancelled left: Outcome, work: @escaping @Sendable () async -> Outcome
    ) async -> Outcome {
        let waiter = state.withLock { state in
            state.ids += 1
            return state.ids
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                switch join(key, waiter, continuation) {
                case .left: continuation.resume(returning: left)
                case .joined: break
                case .first(let flight): start(flight, key, work)
                }
            }
        } onCancel: {
            leave(key, waiter)?.resume(returning: left)
        }
    }

    private func join(_ key: String, _ waiter: Int, _ continuation: CheckedContinuation<Outcome, Never>) -> JoinResult {
        state.withLock { state in
            // `Task.isCancelled` is set before `leave` runs, so either this check or `leave` detects a cancellation.
            if Task.isCancelled { return .left }
            if state.flights[key] != nil {
                state.flights[key]?.waiters[waiter] = continuation
                return .joined
            }
            state.ids += 1
            state.flights[key] = Flight(id: state.ids, waiters: [waiter: continuation])
            return .first(flight: state.ids)
        }
    }

    private func start(_ id: Int, _ key: String, _ work: @escaping @Sendable () async -> Outcome) {
        let task = Task { [self] in
            let outcome = await work()
            let waiters = state.withLock { state in
                guard state.flights[key]?.id == id else { return [] as [CheckedContinuation<Outcome, Never>] }
                return state.flights.removeValue(forKey: key).map { Array($0.waiters.values) } ?? []
            }
            for waiter in waiters { waiter.resume(returning: outcome) }
        }
        let isWanted = state.withLock { state in
            guard state.flights[key]?.id == id else { return false }
            state.flights[key]?.task = task
            return true
        }
        // All waiters left, or the work ended, before its task could be recorded.
        if !isWanted { task.cancel() }
    }

    private func leave(_ key: String, _ waiter: Int) -> CheckedContinuation<Outcome, Never>? {
        let (continuation, task) = state.withLock { state in
            let continuation = state.flights[key]?.waiters.removeValue(forKey: waiter)
            guard continuation != nil, state.flights[key]?.waiters.isEmpty == true else {
                return (continuation, nil as Task<Void, Never>?)
            }
            // Remove it immediately, so that a new waiter starts new work instead of joining canceled work.
            return (continuation, state.flights.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        return continuation
    }
}
