/// Who listens to something, each until it leaves; kept under the lock of whoever tells them.
///
/// Leaving and ending release a listener, which may call out, so both hand it back for the time after the lock.
package struct ListenerList<Listener: Sendable>: Sendable {
    private var listeners: [Int: Listener] = [:]
    private var ids = 0

    /// Creates a table in which nobody is.
    package init() {}

    /// How many listen.
    package var count: Int { listeners.count }

    /// Who listens now, in no order.
    package var all: [Listener] {
        // Nobody listens, most of the time, and copying values makes the runtime search all conformances once.
        listeners.isEmpty ? [] : Array(listeners.values)
    }

    /// Takes one in.
    package mutating func add(_ listener: Listener) -> Int {
        ids += 1
        listeners[ids] = listener
        return ids
    }

    /// Lets one go.
    package mutating func remove(_ id: Int) -> Listener? { listeners.removeValue(forKey: id) }

    /// Lets all go.
    package mutating func removeAll() -> [Listener] {
        defer { listeners = [:] }
        return all
    }
}
