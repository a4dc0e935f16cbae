/// A value that is made when it is read first, once: what costs time at the start of a process that may never need it.
package final class LazyValue<Value: Sendable>: Sendable {
    private let made = Lock<Value?>(nil)
    private let make: @Sendable () -> Value

    /// Prepares a value.
    package init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    /// The value if somebody has read it.
    package var valueIfComputed: Value? { made.withLock { $0 } }

    /// The value.
    package var value: Value {
        made.withLock { made in
            if let made { return made }
            let value = make()
            made = value
            return value
        }
    }
}
