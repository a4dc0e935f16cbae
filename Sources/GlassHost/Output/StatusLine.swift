import GlassBase
import Foundation
import GlassDeepLinking
import Synchronization

/// The line on the terminal that is not part of the output: it stands below what was written, and whatever is written
/// next takes its place.
final class StatusLine: Sendable {
    /// The line of this process.
    static let shared = StatusLine()

    private let shown = Lock(DisplayText())
    /// Read where no lock may be waited for.
    private let isVisible = Atomic(false)

    private static let erasing = "\r\u{1B}[K"

    /// Shows a text, cut to the width of the terminal because a line that wraps cannot be erased.
    func show(_ text: DisplayText) {
        shown.withLock { shown in
            let line = text.prefix((Console.columns(of: STDERR_FILENO) ?? 80) - 1)
            guard line != shown else { return }
            put(line)
            shown = line
            isVisible.store(!line.isEmpty, ordering: .releasing)
        }
    }

    /// Does something that writes to the terminal, without the line.
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

    /// Erases the line of a process that ends now: waits for nobody, because somebody may be writing for ever.
    func eraseAtEnd() {
        if isVisible.load(ordering: .acquiring) { put("") }
    }

    /// Erases the line and writes another one.
    private func put(_ text: DisplayText) {
        // A terminal that is gone shows nothing, which is no failure of the job.
        try? FileHandle.standardError.write(contentsOf: Data((Self.erasing + text.plain).utf8))  // as above
    }
}
