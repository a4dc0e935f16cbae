package import GlassBase
import Foundation
import GlassDeepLinking

/// Shows the progress of a job that takes longer than a second, if standard error is a terminal.
final class Progress: Sendable {
    private let text = Lock(DisplayText())
    private let isEnded = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)
    private let isShown: Bool

    private static let (patience, interval) = (Duration.seconds(1), DispatchTimeInterval.milliseconds(100))

    /// Starts a job.
    init(_ console: Console) {
        isShown = console.showsProgress
        guard isShown else { return }
        let start = ContinuousClock.now
        // Use a separate thread, because one step of the job may take longer than all the others.
        let (text, isEnded, hasEnded) = (text, isEnded, hasEnded)
        Thread.detachNewThread {
            while isEnded.wait(timeout: .now() + Self.interval) == .timedOut {
                let elapsed = ContinuousClock.now - start
                let shown = text.withLock { $0 }
                guard elapsed > Self.patience, !shown.isEmpty else { continue }
                StatusLine.shared.show("\(shown), \(elapsed.components.seconds) s")
            }
            StatusLine.shared.show("")
            hasEnded.signal()
        }
    }

    /// Shows the current step.
    func show(_ text: @autoclosure () -> DisplayText) {
        guard isShown else { return }
        let text = text()
        self.text.withLock { $0 = text }
    }

    /// Shows which of several items is being processed.
    func show(_ verb: DisplayText, _ name: String, _ index: Int, of count: Int) {
        show(count == 1 ? "\(verb) \(name)" : "\(verb) \(name) (\(index + 1) of \(count))")
    }

    /// Ends the job. When this returns, the line has been erased.
    func finish() {
        guard isShown else { return }
        isEnded.signal()
        hasEnded.wait()
    }
}

extension Console {
    /// Transforms each name, and shows the progress on the terminal.
    package func map<Result>(_ names: [String], _ verb: DisplayText, _ body: (String) throws -> Result) rethrows
        -> [Result]
    {
        let progress = Progress(self)
        defer { progress.finish() }
        return try names.enumerated().map { index, name in
            progress.show(verb, name, index, of: names.count)
            return try body(name)
        }
    }
}
