import GlassBase

/// Hands the lines of traces to a logger one at a time, whichever threads they come from.
///
/// A logger need not be safe to share. It is somebody else's code, so it runs without a lock: who comes while it writes
/// leaves the lines to who is writing. A logger that resolves something itself finds its lines written after its own.
final class TraceLog: @unchecked Sendable {  // `logger` is called by one thread at a time
    // Proof: `logger` is called by one thread at a time, the one that set `isWriting`, and each call happens before the
    // next by way of the lock.

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

    /// The lines that came meanwhile; nil ends the writing.
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
