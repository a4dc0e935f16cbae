import GlassBase

/// A value whose changes can be observed.
///
/// Every listener gets the changes in order. A slow listener loses the oldest changes, but never the latest.
///
/// Only ``set(_:)`` requires `Equatable`: a constraint on the type would make the runtime look up the conformance.
package final class ObservedValue<Value: Sendable>: Sendable {
    private let current: Lock<Value>
    private let broadcast = Broadcast<Value>()

    /// Creates an observed value.
    package init(_ value: Value) {
        current = Lock(value)
    }

    /// The current value.
    package var value: Value { current.withLock { $0 } }

    /// Sets the value and notifies the listeners, unless it is equal to the current value.
    package func set(_ value: Value) where Value: Equatable {
        current.withLock { current in
            guard current != value else { return }
            current = value
            // Send under the lock, so that two changes reach the listeners in the order in which they were made.
            broadcast.send(value)
        }
    }

    /// The current value, followed by each change, until the listener stops or `finish()` is called.
    package func changes() -> AsyncStream<Value> {
        current.withLock { broadcast.values(startingWith: $0, limit: 16) }
    }

    /// The number of listeners.
    package var listenerCount: Int { broadcast.listenerCount }

    /// Ends the sequence of every listener. The sequence of a later listener ends after its first value.
    package func finish() { broadcast.finish() }
}
