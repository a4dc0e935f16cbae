import GlassBase
import GlassDeepLinking

/// Lets one task sleep until it is woken or its time has elapsed.
final class Wakeup: Sendable {
    /// The reason for waking a task. A sleeper can ignore reasons below a minimum.
    enum Reason: Int, Comparable {
        case events, flush

        static func < (left: Reason, right: Reason) -> Bool { left.rawValue < right.rawValue }
    }

    private struct State {
        var pending: Reason?
        var sleeper: (least: Reason, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Lock(State())

    /// Wakes the sleeper, or the next task that would sleep.
    func wake(_ reason: Reason) {
        let sleeper: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard let sleeper = state.sleeper, reason >= sleeper.least else {
                state.pending = max(state.pending ?? reason, reason)
                return nil
            }
            state.sleeper = nil
            return sleeper.continuation
        }
        sleeper?.resume()
    }

    /// Sleeps until woken for a sufficient reason, until the time has elapsed, or until canceled.
    func sleep(_ duration: Duration, unless least: Reason, _ clock: TelemetryClock) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.woken(least) }
            // A canceled delay ends early; the caller checks for cancellation.
            group.addTask { try? await clock.sleep(duration) }  // see above
            await group.next()
            group.cancelAll()
        }
    }

    private func woken(_ least: Reason) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isAwake = state.withLock { state in
                    if let pending = state.pending, pending >= least {
                        state.pending = nil
                        return true
                    }
                    if Task.isCancelled { return true }
                    state.sleeper = (least, continuation)
                    return false
                }
                if isAwake { continuation.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleeper
                state.sleeper = nil
                return sleeper
            }
            sleeper?.continuation.resume()
        }
    }
}
