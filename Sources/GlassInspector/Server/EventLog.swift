import GlassBase

/// What happened, for the pages that are open: each gets what comes from now on, and what it missed.
final class EventLog: Sendable {
    /// The most pages that listen at a time. A browser opens one stream for each tab that is seen.
    static let maximumListeners = 32
    /// The most events that are kept for a page that comes back.
    private static let maximumKept = 256

    private struct State: Sendable {
        var count = 0
        var kept: [(number: Int, text: String)] = []
        var listeners: [Int: AsyncStream<String>.Continuation] = [:]
        var listenersSoFar = 0
    }

    private let state = Lock(State())
    /// Held while an event is told, so that each page sees the same order.
    private let order = Lock()
    /// Tells this run's events from those of an earlier one on the same port.
    private let run: String

    /// Creates a log without events.
    init(run: String) {
        self.run = run
    }

    /// The pages that listen now.
    var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Tells all pages of something.
    func append(_ json: String) {
        order.withLock {
            let (text, listeners) = state.withLock { state in
                state.count += 1
                let text = "id: \(run)-\(state.count)\ndata: \(json)\n\n"
                state.kept.append((state.count, text))
                if state.kept.count > Self.maximumKept { state.kept.removeFirst() }
                return (text, Array(state.listeners.values))
            }
            // Not under the lock of the state: yielding waits for the task's own lock, which a thread that cancels the task
            // holds while `onTermination` waits for the state.
            for listener in listeners { listener.yield(text) }
        }
    }

    /// Sends a comment, which a connection that is gone fails at.
    func beat() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(": still here\n\n") }
    }

    /// Ends all streams.
    func close() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
    }

    /// What happened since an event, and what happens from now on, as server-sent events.
    func events(after last: String?) -> AsyncStream<String>? {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(512))
        let id = state.withLock { state -> Int? in
            guard state.listeners.count < Self.maximumListeners else { return nil }
            state.listenersSoFar += 1
            // The id of a stream that has seen all there is: a page that comes back sends the last one that it saw.
            continuation.yield("retry: 1000\nid: \(run)-\(state.count)\nevent: hello\ndata: {}\n\n")
            for text in missed(after: last, in: state) { continuation.yield(text) }
            state.listeners[state.listenersSoFar] = continuation
            return state.listenersSoFar
        }
        guard let id else { return nil }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[id] = nil } }
        return stream
    }

    private func missed(after last: String?, in state: State) -> [String] {
        guard let last else { return [] }
        let parts = last.split(separator: "-", maxSplits: 1)
        let known = parts.count == 2 && parts[0] == run ? Int(parts[1]) : nil
        // Of another run, or longer ago than what is kept: the page reads everything again.
        guard let known, known <= state.count, known >= (state.kept.first?.number ?? state.count + 1) - 1 else {
            return ["event: reset\ndata: {}\n\n"]
        }
        return state.kept.filter { $0.number > known }.map(\.text)
    }
}
