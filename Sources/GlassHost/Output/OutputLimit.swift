import Foundation
import GlassBase

/// How much a command may print as its result. One that wants more ends with 2 and says so, before it prints that part.
final class OutputLimit: Sendable {
    /// The bytes of most commands.
    static let bytes = 16 << 20

    private let bytes: Int
    private let context = CommandContext.current
    private let left: Lock<Int>

    /// Creates a budget.
    init(bytes: Int) {
        self.bytes = bytes
        left = Lock(bytes)
    }

    /// Counts what is about to be printed, and ends the command when there is too much.
    func spend(_ count: Int) {
        let isEnough = left.withLock { left in
            left -= count
            return left >= 0
        }
        guard !isEnough else { return }
        context.end(
            with: CommandFailure.Status.impossible.rawValue,
            "the result has more than \(bytes.formattedBytes), which is the most that is printed: ask for less of it")
    }
}
