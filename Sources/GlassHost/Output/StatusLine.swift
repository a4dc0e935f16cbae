import GlassBase
import Foundation
import GlassDeepLinking
import Synchronization

/// The line on the terminal that is not part of the output: it appears below the written text, and the next write
/// replaces it.
final class StatusLine: Sendable {
    /// The line of this process.
    static let shared = StatusLine()

    private let shown = Lock(DisplayText())
    /// Can be read without waiting for the lock.
    private let isVisible = Atomic(false)

    private static let erasing = "\r\u{1B}[K"

    /// Shows text, truncated to the width of the terminal, because a line that wraps cannot be erased.
    func show(_ text: DisplayText) {
        shown.withLock { shown in
            let line = text.prefix((Console.columns(of: STDERR_FILENO) ?? 80) - 1)
            guard line != shown else { return }
            put(line)
            shown = line
            isVisible.store(!line.isEmpty, ordering: .releasing)
        }
    }

    /// Runs code that writes to the terminal, with the line hidden. Holds the lock, so that no thread shows the line in
    /// the middle of the output.
    func hidden<Result>(during body: () throws -> Result) rethrows -> Result {
        try shown.withLock { shown in
            if !shown.isEmpty {
                put("")
                shown = DisplayText()
                isVisible.store(false, ordering: .releasing)
            }
            return try body()
        }
    }

    /// Erases the line of a process that is about to exit. Does not wait for the lock, because a thread may hold it
    /// forever while writing.
    func eraseAtEnd() {
        if isVisible.load(ordering: .acquiring) { put("") }
    }

    /// Erases the line and writes another one.
    private func put(_ text: DisplayText) {
        // A closed terminal shows nothing, which is not a failure of the job.
        try? FileHandle.standardError.write(contentsOf: Data((Self.erasing + text.plain).utf8))  // as above
    }
}
