import GlassBase

/// A value, and those who follow its changes.
///
/// Every listener sees the changes in the order in which they were made. A listener that does not keep up loses the
/// oldest of them and never the latest.
///
/// Only ``set(_:)`` asks for `Equatable`: a constraint of the type would have the runtime look for the conformance.
package final class ObservedValue<Value: Sendable>: Sendable {
    private let current: Lock<Value>
    private let broadcast = Broadcast<Value>()

    /// Starts with a value.
    package init(_ value: Value) {
        current = Lock(value)
    }

    /// The value now.
    package var value: Value { current.withLock { $0 } }

    /// Sets the value and tells the listeners, unless it is the same.
    package func set(_ value: Value) where Value: Equatable {
        current.withLock { current in
            guard current != value else { return }
            current = value
            // Under the lock, because two changes must not overtake each other.
            broadcast.send(value)
        }
    }

    /// The value now and then each change, until the listener stops or the owner goes.
    package func changes() -> AsyncStream<Value> {
        current.withLock { broadcast.values(startingWith: $0, limit: 16) }
    }

    /// How many listen.
    package var listenerCount: Int { broadcast.listenerCount }

    /// Ends every listener's sequence, and that of each who comes later after its first value.
    package func finish() { broadcast.finish() }
}
