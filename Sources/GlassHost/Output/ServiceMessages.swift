import GlassBase

/// Prints what services tell while they work: what they would open, what went wrong, their log.
///
/// A script or a market can make them tell something as often as it likes, so there is a limit for each command; what
/// comes later is not printed, and the last line says so.
final class ServiceMessages: Sendable {
    /// The bytes of all messages.
    private static let bytes = 16 << 20

    private let left = Lock(ServiceMessages.bytes)
    private let errors: StandardStream

    /// Creates the messages of a command.
    init(_ errors: StandardStream) {
        self.errors = errors
    }

    /// Prints a message to standard error, if there is room for it.
    func print(_ text: DisplayText) {
        let before = left.withLock { left in
            defer { left = max(-1, left - text.byteCount - 1) }
            return left
        }
        if before > text.byteCount {
            errors.write(text + "\n")
        } else if before >= 0 {
            errors.write("services told more than \(Self.bytes.formattedBytes), and the rest is not printed\n")
        }
    }
}
