import GlassBase

/// The limits on all git calls of one command together.
///
/// A repository is untrusted. Git waits forever for a named pipe in it, unpacks whatever a small file expands to, and
/// walks trees that refer to each other.
package final class GitBudget: Sendable {
    /// The wall-clock time.
    let time: Duration
    /// Git's CPU time.
    let processorTime: Duration
    /// The total size of the files to read, in bytes.
    let bytes: Int

    private struct Used {
        var time = Duration.zero
        var processorTime = Duration.zero
        var bytes = 0
    }

    private let used = Lock(Used())

    /// The default wall-clock time: far more than git needs for a command, even on a slow disk.
    package static let usualTime = Duration.seconds(2) * BuildSpeed.slowdown
    /// The default CPU time. Git is equally fast in debug and release builds.
    package static let usualProcessorTime = Duration.milliseconds(700)

    /// Creates the limits of one command.
    package init(
        time: Duration = usualTime, processorTime: Duration = usualProcessorTime, bytes: Int = 64 << 20
    ) {
        self.time = time
        self.processorTime = processorTime
        self.bytes = bytes
    }

    /// The remaining time and CPU time.
    var left: (time: Duration, processorTime: Duration) {
        used.withLock { (time - $0.time, processorTime - $0.processorTime) }
    }

    /// Counts a finished call.
    func spend(time: Duration, processorTime: Duration) {
        used.withLock {
            $0.time += time
            $0.processorTime += processorTime
        }
    }

    /// Counts bytes before they are read.
    func hold(bytes count: Int) throws(GitFailure) {
        let isTooMuch = used.withLock { used in
            used.bytes += count
            return used.bytes > bytes
        }
        guard !isTooMuch else {
            throw .tooLarge(
                "the commits contain more than \(bytes.formattedBytes) of files to compare: compare fewer at a time")
        }
    }
}
