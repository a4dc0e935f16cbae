/// Sends each value to all listeners.
///
/// To send values in the order of the changes, send while holding the lock that guards the changing state. Sending runs
/// no caller code; it only wakes the listeners.
package final class Broadcast<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var listeners = ListenerList<AsyncStream<Value>.Continuation>()
        var isFinished = false
    }

    private let state = Lock(State())

    /// Creates a broadcast without listeners.
    package init() {}

    deinit { finish() }

    /// The number of listeners.
    package var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Returns a stream of the values that are sent from now on. It buffers at most the newest `limit` values.
    package func values(startingWith first: Value? = nil, limit: Int) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Value.self, bufferingPolicy: .bufferingNewest(limit))
        if let first { continuation.yield(first) }
        let id: Int? = state.withLock { state in
            state.isFinished ? nil : state.listeners.add(continuation)
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            guard let self else { return }
            // Removed under the lock but released after it, because releasing may run arbitrary code.
            _ = state.withLock { $0.listeners.remove(id) }
        }
        return stream
    }

    /// Sends a value to all current listeners.
    package func send(_ value: Value) {
        for listener in state.withLock({ $0.listeners.all }) { listener.yield(value) }
    }

    /// Ends every stream. A stream that starts later ends after its first value.
    package func finish() {
        let ended = state.withLock { state in
            state.isFinished = true
            return state.listeners.removeAll()
        }
        // Outside the lock, because ending a stream calls its `onTermination`, which takes the lock.
        for listener in ended { listener.finish() }
    }
}
