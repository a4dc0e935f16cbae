import Foundation
package import GlassBase

/// Loads items on several threads, ahead of the thread that uses them in order, as long as a budget pays for them.
///
/// Each item is charged when it is used. Therefore the same items are loaded in every run, however many threads there are:
/// the last one is that with which the steps are used up. Loaded items that are not used yet are few, so memory does not
/// grow with the number of items.
package final class LoadAhead<Item: Sendable>: @unchecked Sendable {  // `state` is accessed only under `condition`
    private struct State {
        /// The next item that no thread loads.
        var next = 0
        /// The number of items that are used.
        var used = 0
        var loaded: [Int: Result<Item, any Error>] = [:]
        /// The steps of the items that are loaded and not used.
        var steps = 0
        /// The most steps of an item so far.
        var most = 0
        /// The number of items that are being loaded.
        var loading = 0
        var threads = 0
        var isEnded = false
    }

    private let count: Int
    private let account: WorkBudget
    private let cost: @Sendable (Item) -> Int
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
    ///   - account: The budget that pays for the items.
    ///   - cost: The number of steps of an item. An item that cannot be loaded costs nothing.
    ///   - load: Loads an item. Its result must not depend on the other items.
    package init(
        _ count: Int, threads: Int = ProcessInfo.processInfo.activeProcessorCount, account: WorkBudget,
        cost: @escaping @Sendable (Item) -> Int, load: @escaping @Sendable (Int) throws -> Item
    ) {
        self.count = count
        self.account = account
        self.cost = cost
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

    /// The item at an index; nil if the steps are used up. Items must be taken in order. The calling thread loads items
    /// while it waits.
    package func item(at index: Int) throws -> Item? {
        if account.isSpent { return nil }
        let result = locked {
            while true {
                if let result = state.loaded.removeValue(forKey: index) {
                    if let item = try? result.get() {  // the caller gets the error
                        state.steps -= cost(item)
                        account.charge(cost(item))
                    }
                    state.used = index + 1
                    condition.broadcast()
                    return result
                }
                if !loadNext() { condition.wait() }
            }
        }
        return try result.get()
    }

    /// Ends the threads. An item that is being loaded is awaited.
    package func end() {
        locked {
            state.isEnded = true
            condition.broadcast()
            while state.threads > 0 { condition.wait() }
        }
    }

    /// Loads the next item, without the lock, unless all are being loaded, too many are not used, or the items before it
    /// may use up the steps.
    private func loadNext() -> Bool {
        guard state.next < min(count, state.used + Self.window), isAffordable else { return false }
        let index = state.next
        state.next += 1
        state.loading += 1
        condition.unlock()
        let result = Result { try load(index) }
        condition.lock()
        state.loading -= 1
        state.loaded[index] = result
        if let item = try? result.get() {  // an error costs nothing
            state.steps += cost(item)
            state.most = max(state.most, cost(item))
        }
        condition.broadcast()
        return true
    }

    /// Whether the items before the next one probably leave steps for it. Of those that are being loaded, each may take as
    /// many as any so far, and at the beginning nothing is known.
    private var isAffordable: Bool {
        guard state.loading > 0 else { return state.steps < account.stepsLeft }
        return state.loading <= state.used + state.loaded.count
            && state.steps + state.loading * state.most < account.stepsLeft
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }
}
