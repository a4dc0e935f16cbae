/// Gives each value to everyone who listens.
///
/// Who has to tell in the order in which something changes sends under the lock of what changes: sending calls nobody's
/// code, it only wakes the listeners.
package final class Broadcast<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var listeners = ListenerList<AsyncStream<Value>.Continuation>()
        var isFinished = false
    }

    private let state = Lock(State())

    /// Creates a broadcast without listeners.
    package init() {}

    deinit { finish() }

    /// How many listen.
    package var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Listens from now on.
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
            // Taken out under the lock and released after it: releasing may call out.
            _ = state.withLock { $0.listeners.remove(id) }
        }
        return stream
    }

    /// Gives a value to everyone who listens now.
    package func send(_ value: Value) {
        for listener in state.withLock({ $0.listeners.all }) { listener.yield(value) }
    }

    /// Ends every stream, also those that start later, after their first value.
    package func finish() {
        let ended = state.withLock { state in
            state.isFinished = true
            return state.listeners.removeAll()
        }
        // Outside of the lock: ending a stream calls its `onTermination`.
        for listener in ended { listener.finish() }
    }
}
