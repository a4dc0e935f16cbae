import GlassBase
import GlassDeepLinking

/// A change of a stored value.
public struct StorageChange: Sendable, Hashable {
    /// The namespace of the key.
    public let namespace: String
    /// The name within the namespace.
    public let name: String
    /// Whether the key no longer has a value.
    public let isRemoval: Bool
    /// Whether another process, or another connection to the file, made the change.
    public let isExternal: Bool

    /// Creates a change.
    package init(namespace: String, name: String, isRemoval: Bool = false, isExternal: Bool = false) {
        self.namespace = namespace
        self.name = name
        self.isRemoval = isRemoval
        self.isExternal = isExternal
    }
}

/// The changes of a namespace from the time of the call, for one reader.
public struct StorageChanges: AsyncSequence, Sendable {
    /// The element of the sequence.
    public typealias Element = StorageChange
    /// Reading never fails.
    public typealias Failure = Never

    fileprivate let subscription: StorageSubscription

    /// The position of the reader in the sequence.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let subscription: StorageSubscription

        /// Waits for the next change.
        ///
        /// - Returns: The change; `nil` if the storage is released or the task is canceled.
        public func next() async -> StorageChange? { await subscription.next() }
    }

    /// Starts reading.
    ///
    /// - Returns: The position of the reader.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: subscription) }
}

/// The unread changes of one reader: at most one change per key, so their number is limited by the keys.
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
                    // A second concurrent reader is a programming error, which must not make the first one wait
                    // forever.
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

/// Distributes changes to readers. It does not retain them: a released sequence gets no changes.
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

    /// Whether there are any readers.
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

    /// Distributes changes.
    package func send(_ changes: [StorageChange]) {
        guard !changes.isEmpty else { return }
        for subscription in state.withLock({ $0.readers.compactMap(\.subscription) }) {
            let own = changes.filter { $0.namespace == subscription.namespace }
            if !own.isEmpty { subscription.add(own) }
        }
    }

    /// Ends all sequences, including those that are created later.
    package func finish() {
        let readers = state.withLock { state in
            defer { state.readers = [] }
            state.isFinished = true
            return state.readers.compactMap(\.subscription)
        }
        for subscription in readers { subscription.finish() }
    }
}
