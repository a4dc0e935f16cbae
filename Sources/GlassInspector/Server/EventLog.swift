import GlassBase

/// The events for the open pages. Each page receives new events and those that it missed.
final class EventLog: Sendable {
    /// The maximum number of listening pages. A browser opens one stream for each visible tab.
    static let maximumListeners = 32
    /// The maximum number of events to keep for a page that reconnects.
    private static let maximumKept = 256

    private struct State: Sendable {
        var count = 0
        var kept: [(number: Int, text: String)] = []
        var listeners: [Int: AsyncStream<String>.Continuation] = [:]
        var listenersSoFar = 0
    }

    private let state = Lock(State())
    /// Held while an event is sent, so that each page sees the same order.
    private let order = Lock()
    /// Distinguishes this run's events from those of an earlier run on the same port.
    private let run: String

    /// Creates an empty log.
    init(run: String) {
        self.run = run
    }

    /// The number of listening pages.
    var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Sends an event to all pages.
    func append(_ json: String) {
        order.withLock {
            let (text, listeners) = state.withLock { state in
                state.count += 1
                let text = "id: \(run)-\(state.count)\ndata: \(json)\n\n"
                state.kept.append((state.count, text))
                if state.kept.count > Self.maximumKept { state.kept.removeFirst() }
                return (text, Array(state.listeners.values))
            }
            // Not under the state's lock: yielding waits for the task's own lock. A thread that cancels the task holds
            // that lock while `onTermination` waits for the state.
            for listener in listeners { listener.yield(text) }
        }
    }

    /// Sends a comment to every stream. Writing to a closed connection fails, which reveals it.
    func beat() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(": still here\n\n") }
    }

    /// Ends all streams.
    func close() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
    }

    /// The events since a given one and all future events, as server-sent events; nil if too many pages are listening.
    func events(after last: String?) -> AsyncStream<String>? {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(512))
        let id = state.withLock { state -> Int? in
            guard state.listeners.count < Self.maximumListeners else { return nil }
            state.listenersSoFar += 1
            // Sends the id of the newest event, because a page that reconnects sends the last id that it saw.
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
        // If the id is from another run or older than the kept events, the page must reload everything.
        guard let known, known <= state.count, known >= (state.kept.first?.number ?? state.count + 1) - 1 else {
            return ["event: reset\ndata: {}\n\n"]
        }
        return state.kept.filter { $0.number > known }.map(\.text)
    }
}
