import GlassBase
import GlassDeepLinking

/// A value, and those who follow its changes.
///
/// Every listener sees the changes in the order in which they were made. A listener that does not keep up loses the
/// oldest of them and never the latest.
package final class ObservedValue<Value: Sendable & Equatable>: Sendable {
    private struct State: Sendable {
        var value: Value
        var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
        var nextListener = 0
        var isFinished = false
    }

    private let state: Lock<State>

    /// Starts with a value.
    ///
    /// - Parameter value: The value.
    package init(_ value: Value) {
        state = Lock(State(value: value))
    }

    deinit { finish() }

    /// The value now.
    package var value: Value { state.withLock { $0.value } }

    /// Sets the value and tells the listeners, unless it is the same.
    ///
    /// - Parameter value: The new value.
    package func set(_ value: Value) {
        state.withLock { state in
            guard state.value != value else { return }
            state.value = value
            // Under the lock, because two changes must not overtake each other; a yield only wakes the listener.
            for listener in state.listeners.values { listener.yield(value) }
        }
    }

    /// The value now and then each change, until the listener stops or the owner goes.
    ///
    /// - Returns: A sequence for one listener.
    package func changes() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(16))
        let number: Int? = state.withLock { state in
            continuation.yield(state.value)
            guard !state.isFinished else { return nil }
            state.nextListener += 1
            state.listeners[state.nextListener] = continuation
            return state.nextListener
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// How many listen.
    package var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Ends every listener's sequence, and that of each who comes later after its first value.
    package func finish() {
        let listeners = state.withLock { state in
            defer { state.listeners = [:] }
            state.isFinished = true
            return state.listeners
        }
        // Outside of the lock: ending a sequence calls its `onTermination`.
        for listener in listeners.values { listener.finish() }
    }
}
