import GlassBase
import GlassDeepLinking

/// Gives each value to everyone who listens.
final class Broadcast<Value: Sendable>: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
        var ids = 0
        var isFinished = false
    }

    private let state = Lock(State())

    deinit { finish() }

    /// How many listen.
    var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Listens from now on.
    ///
    /// - Parameters:
    ///   - first: What the listener gets at once.
    ///   - limit: How many values wait for a slow listener; the oldest are dropped.
    /// - Returns: The values; the stream ends with this object.
    func values(startingWith first: Value? = nil, limit: Int) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Value.self, bufferingPolicy: .bufferingNewest(limit))
        let id: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.ids += 1
            state.listeners[state.ids] = continuation
            return state.ids
        }
        if let first { continuation.yield(first) }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            guard let self else { return }
            // Taken out under the lock and released after it: releasing may call out.
            _ = state.withLock { $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }

    func send(_ value: Value) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(value) }
    }

    /// Ends every stream, also those that start later.
    func finish() {
        let ended = state.withLock { state in
            defer { state.listeners = [:] }
            state.isFinished = true
            return Array(state.listeners.values)
        }
        for listener in ended { listener.finish() }
    }
}
