import GlassBase

/// Prints what services tell while they work: what they would open, what went wrong, their log.
///
/// A script or a market can make them tell something as often as it likes, so there is a limit for the process; what
/// comes later is not printed, and the last line says so.
enum ServiceMessages {
    /// The bytes of all messages.
    private static let bytes = 16 << 20

    private static let left = Lock(bytes)

    /// Prints a message to standard error, if there is room for it.
    static func print(_ text: SafeText) {
        let before = left.withLock { left in
            defer { left = max(-1, left - text.byteCount - 1) }
            return left
        }
        if before > text.byteCount {
            Console.message(text)
        } else if before >= 0 {
            Console.message("services told more than \(bytes.formattedBytes), and the rest is not printed")
        }
    }
}
