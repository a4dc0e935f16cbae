import GlassBase
import GlassDeepLinking

/// A change of a stored value.
public struct StorageChange: Sendable, Hashable {
    /// The namespace of the key.
    public let namespace: String
    /// The name within the namespace.
    public let name: String
    /// Whether the key has no value any more.
    public let isRemoval: Bool
    /// Whether another process, or another connection to the file, made it.
    public let isExternal: Bool

    /// Describes a change.
    package init(namespace: String, name: String, isRemoval: Bool = false, isExternal: Bool = false) {
        self.namespace = namespace
        self.name = name
        self.isRemoval = isRemoval
        self.isExternal = isExternal
    }
}

/// The changes of a namespace since it was asked for, for one reader.
public struct StorageChanges: AsyncSequence, Sendable {
    /// What it yields.
    public typealias Element = StorageChange
    /// Reading never fails.
    public typealias Failure = Never

    fileprivate let subscription: StorageSubscription

    /// The reader's place in the sequence.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let subscription: StorageSubscription

        /// The next change; waits for it.
        ///
        /// - Returns: Nil when the storage is gone or the task is cancelled.
        public func next() async -> StorageChange? { await subscription.next() }
    }

    /// Starts reading.
    ///
    /// - Returns: The reader's place.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: subscription) }
}

/// What one reader has not read yet: one change per key at most, so it never outgrows the keys.
private final class StorageSubscription: Sendable {
    private struct State {
        var pending: [StorageChange] = []
        var reader: CheckedContinuation<StorageChange?, Never>?
        var isFinished = false
    }

    let namespace: String
    private let state = Lock(State())

    init(namespace: String) {
        self.namespace = namespace
    }

    func add(_ changes: [StorageChange]) {
        let names = Set(changes.map(\.name))
        let ready: (CheckedContinuation<StorageChange?, Never>, StorageChange)? = state.withLock { state in
            state.pending.removeAll { names.contains($0.name) }
            state.pending += changes
            guard let reader = state.reader, !state.pending.isEmpty else { return nil }
            state.reader = nil
            return (reader, state.pending.removeFirst())
        }
        if let (reader, change) = ready { reader.resume(returning: change) }
    }

    func next() async -> StorageChange? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: StorageChange?? = state.withLock { state in
                    if !state.pending.isEmpty { return state.pending.removeFirst() }
                    // A second reader at once is a mistake that must not leave the first one waiting for ever.
                    if state.isFinished || Task.isCancelled || state.reader != nil { return .some(nil) }
                    state.reader = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            release { _ in }
        }
    }

    func finish() { release { $0.isFinished = true } }

    private func release(_ change: (inout State) -> Void) {
        let reader = state.withLock { state in
            change(&state)
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }
}

/// Hands changes to whoever reads them. It keeps no reader alive: a sequence that nobody holds gets nothing.
package final class StorageChangeHub: Sendable {
    private struct Reader: Sendable {
        weak let subscription: StorageSubscription?
    }

    private struct State: Sendable {
        var readers: [Reader] = []
        var isFinished = false
    }

    private let state = Lock(State())

    /// Creates a hub without readers.
    package init() {}

    deinit { finish() }

    /// Whether somebody reads.
    package var hasReaders: Bool {
        state.withLock { state in
            state.readers.removeAll { $0.subscription == nil }
            return !state.readers.isEmpty
        }
    }

    /// Adds a reader.
    package func changes(in namespace: String) -> StorageChanges {
        let subscription = StorageSubscription(namespace: namespace)
        let isFinished = state.withLock { state in
            if !state.isFinished { state.readers.append(Reader(subscription: subscription)) }
            return state.isFinished
        }
        if isFinished { subscription.finish() }
        return StorageChanges(subscription: subscription)
    }

    /// Hands out changes.
    package func send(_ changes: [StorageChange]) {
        guard !changes.isEmpty else { return }
        for subscription in state.withLock({ $0.readers.compactMap(\.subscription) }) {
            let own = changes.filter { $0.namespace == subscription.namespace }
            if !own.isEmpty { subscription.add(own) }
        }
    }

    /// Ends every sequence, and those that are asked for later.
    package func finish() {
        let readers = state.withLock { state in
            defer { state.readers = [] }
            state.isFinished = true
            return state.readers.compactMap(\.subscription)
        }
        for subscription in readers { subscription.finish() }
    }
}
