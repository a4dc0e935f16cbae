import GlassBase

/// Passes the lines of traces to a logger one at a time, regardless of which threads they come from.
///
/// A logger need not be thread-safe. It's user code, so it runs without a lock: while one thread is logging, other
/// threads leave their lines to it. If a logger resolves a service itself, the lines of that resolution are logged
/// after the current ones.
final class TraceLog: @unchecked Sendable {  // `logger` is called by one thread at a time
    // Proof: only the thread that set `isWriting` calls `logger`, and the lock orders each call before the next.

    let logger: (String) -> Void
    private let waiting = Lock((lines: [String](), isWriting: false))

    init(_ logger: @escaping (String) -> Void) {
        self.logger = logger
    }

    func write(_ lines: [String]) {
        let isMine = waiting.withLock { waiting in
            waiting.lines += lines
            defer { waiting.isWriting = true }
            return !waiting.isWriting
        }
        guard isMine else { return }
        while let lines = next() {
            for line in lines { logger(line) }
        }
    }

    /// The lines that were added in the meantime; nil if there are none, which ends the logging.
    private func next() -> [String]? {
        waiting.withLock { waiting in
            guard !waiting.lines.isEmpty else {
                waiting.isWriting = false
                return nil
            }
            defer { waiting.lines = [] }
            return waiting.lines
        }
    }
}
