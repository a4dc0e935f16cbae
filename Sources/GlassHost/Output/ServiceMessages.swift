import GlassBase

/// Prints the messages of running services: links that they would open, errors, and their log.
///
/// A script or a market can cause any number of messages, so there is a limit for each command. Later messages are
/// omitted, and the last line says so.
final class ServiceMessages: Sendable {
    /// The limit for all messages, in bytes.
    private let limit: Int

    private let left: Lock<Int>
    private let errors: StandardStream

    /// Creates the messages of a command.
    init(_ errors: StandardStream, limit: Int) {
        self.errors = errors
        self.limit = limit
        left = Lock(limit)
    }

    /// Prints a message to standard error, if the limit allows.
    func print(_ text: DisplayText) {
        let before = left.withLock { left in
            defer { left = max(-1, left - text.byteCount - 1) }
            return left
        }
        if before > text.byteCount {
            errors.write(text + "\n")
        } else if before >= 0 {
            errors.write("the messages of services exceed \(limit.formattedBytes); the rest is omitted\n")
        }
    }
}
