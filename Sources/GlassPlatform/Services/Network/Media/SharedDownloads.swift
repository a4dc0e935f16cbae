import GlassBase
import GlassDeepLinking

/// One piece of work per key for all who wait for it. It is cancelled when the last of them leaves.
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

    /// How many wait for the work of a key.
    func waiting(for key: String) -> Int { state.withLock { $0.flights[key]?.waiters.count ?? 0 } }

    /// Waits for the work of a key, and starts it if nobody did.
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
            // The flag is up before `leave` runs, so either this or `leave` sees the other.
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
        // Everybody left, or the work is already done, before its task could be noted.
        if !isWanted { task.cancel() }
    }

    private func leave(_ key: String, _ waiter: Int) -> CheckedContinuation<Outcome, Never>? {
        let (continuation, task) = state.withLock { state in
            let continuation = state.flights[key]?.waiters.removeValue(forKey: waiter)
            guard continuation != nil, state.flights[key]?.waiters.isEmpty == true else {
                return (continuation, nil as Task<Void, Never>?)
            }
            // Removed at once: who comes now starts anew instead of joining a cancelled piece of work.
            return (continuation, state.flights.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        return continuation
    }
}
