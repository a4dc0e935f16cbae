import Foundation
import GlassBase

/// The maximum size of a command's result. A command that would exceed it exits with 2 and a message, before printing
/// the part that would exceed it.
final class OutputLimit: Sendable {
    private let bytes: Int
    private let context = CommandContext.current
    private let left: Lock<Int>

    /// Creates a limit.
    init(bytes: Int) {
        self.bytes = bytes
        left = Lock(bytes)
    }

    /// Counts bytes that are about to be printed, and ends the command if they exceed the limit.
    func spend(_ count: Int) {
        let isEnough = left.withLock { left in
            left -= count
            return left >= 0
        }
        guard !isEnough else { return }
        context.end(
            with: CommandFailure.Status.impossible.rawValue,
            "the result exceeds the output limit of \(bytes.formattedBytes): narrow the query")
    }
}
