/// The registered listeners. Not synchronized: guarded by the lock of the owner that notifies them.
///
/// Releasing a listener may run arbitrary code, so the methods that remove listeners return them for release after the
/// lock.
package struct ListenerList<Listener: Sendable>: Sendable {
    private var listeners: [Int: Listener] = [:]
    private var ids = 0

    /// Creates an empty list.
    package init() {}

    /// The number of listeners.
    package var count: Int { listeners.count }

    /// The current listeners, in no particular order.
    package var all: [Listener] {
        // Usually there are no listeners, and copying the values makes the runtime search all conformances once.
        listeners.isEmpty ? [] : Array(listeners.values)
    }

    /// Adds a listener, and returns its number for removal.
    package mutating func add(_ listener: Listener) -> Int {
        ids += 1
        listeners[ids] = listener
        return ids
    }

    /// Removes a listener, and returns it.
    package mutating func remove(_ id: Int) -> Listener? { listeners.removeValue(forKey: id) }

    /// Removes all listeners, and returns them.
    package mutating func removeAll() -> [Listener] {
        defer { listeners = [:] }
        return all
    }
}
