/// A value that is computed once, when it is first read, so that launching does not pay for what the process may never
/// need.
package final class LazyValue<Value: Sendable>: Sendable {
    private let made = Lock<Value?>(nil)
    private let make: @Sendable () -> Value

    /// Creates a value that `make` computes on demand.
    package init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    /// The value, if it has been read.
    package var valueIfComputed: Value? { made.withLock { $0 } }

    /// The value, which is computed on first access.
    package var value: Value {
        // Computed under the lock, so that concurrent readers do not compute it twice.
        made.withLock { made in
            if let made { return made }
            let value = make()
            made = value
            return value
        }
    }
}
