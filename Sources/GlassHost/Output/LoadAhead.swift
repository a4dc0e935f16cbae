import Foundation
import GlassBase

/// Loads items on several threads, ahead of the thread that uses them in order.
///
/// Loaded items that are not used yet are few, so memory does not grow with the number of items.
final class LoadAhead<Item: Sendable>: @unchecked Sendable {  // `state` is accessed only under `condition`
    private struct State {
        /// The next item that no thread loads.
        var next = 0
        /// The number of items that are used.
        var used = 0
        var loaded: [Int: Result<Item, any Error>] = [:]
        var threads = 0
        var isEnded = false
    }

    private let count: Int
    private let load: @Sendable (Int) throws -> Item
    private let condition = NSCondition()
    private var state = State()

    /// The stack of a thread: that of a program's first thread on common systems.
    private static var stackSize: Int { 8 << 20 }
    /// The maximum number of items that are loaded or being loaded, and not used.
    private static var window: Int { 16 }

    /// Starts to load items.
    ///
    /// - Parameters:
    ///   - count: The number of items.
    ///   - threads: The number of threads, with the one that uses the items.
    ///   - load: Loads an item.
    init(_ count: Int, threads: Int, load: @escaping @Sendable (Int) throws -> Item) {
        self.count = count
        self.load = load
        for _ in 1..<max(1, min(threads, count)) {
            state.threads += 1
            let thread = Thread { [self] in
                locked {
                    while !state.isEnded, state.next < count { if !loadNext() { condition.wait() } }
                    state.threads -= 1
                    condition.broadcast()
                }
            }
            thread.stackSize = Self.stackSize
            thread.start()
        }
    }

    /// The item at an index. Items must be taken in order. The calling thread loads items while it waits.
    func item(at index: Int) throws -> Item {
        try locked {
            while true {
                if let result = state.loaded.removeValue(forKey: index) {
                    state.used = index + 1
                    condition.broadcast()
                    return result
                }
                if !loadNext() { condition.wait() }
            }
        }.get()
    }

    /// Ends the threads. An item that is being loaded is awaited.
    func end() {
        locked {
            state.isEnded = true
            condition.broadcast()
            while state.threads > 0 { condition.wait() }
        }
    }

    /// Loads the next item, without the lock, unless all are being loaded or too many are not used.
    private func loadNext() -> Bool {
        guard state.next < min(count, state.used + Self.window) else { return false }
        let index = state.next
        state.next += 1
        condition.unlock()
        let result = Result { try load(index) }
        condition.lock()
        state.loaded[index] = result
        condition.broadcast()
        return true
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }
}

extension Console {
    /// Transforms each name in order, and shows the progress on the terminal. Meanwhile the next items are loaded on other
    /// threads, one for each processor.
    ///
    /// - Parameters:
    ///   - names: The names.
    ///   - verb: What the command does, for its progress line.
    ///   - load: Loads the item of a name. Its result must not depend on the other items.
    ///   - body: Uses an item, which it gets from a function that throws the error of `load`.
    func map<Item: Sendable, Result>(
        _ names: [String], _ verb: DisplayText, loading load: @escaping @Sendable (String) throws -> Item,
        _ body: (String, () throws -> Item) throws -> Result
    ) throws -> [Result] {
        let context = CommandContext.current
        let items = LoadAhead(names.count, threads: ProcessInfo.processInfo.activeProcessorCount) { index in
            try CommandContext.$current.withValue(context) { try load(names[index]) }
        }
        defer { items.end() }
        var index = 0
        return try map(names, verb) { name in
            defer { index += 1 }
            return try body(name) { try items.item(at: index) }
        }
    }
}
