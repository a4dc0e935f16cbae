import GlassBase

/// What the git calls of one command may take together.
///
/// A repository is what others wrote, and git waits for ever for a named pipe in it, unpacks what a small file stands for, and
/// walks trees that name each other.
package final class GitAllowance: Sendable {
    /// The time by the clock.
    let time: Duration
    /// The processor time of git.
    let processorTime: Duration
    /// The bytes of files.
    let bytes: Int

    private struct Used {
        var time = Duration.zero
        var processorTime = Duration.zero
        var bytes = 0
    }

    private let used = Lock(Used())

    /// The time by the clock where nothing else is said: far more than git takes for what a command asks, also from a slow disk.
    package static let usualTime = Duration.seconds(2) * BuildSpeed.slowdown
    /// The processor time where nothing else is said. Git is as fast in each build.
    package static let usualProcessorTime = Duration.milliseconds(700)

    /// Allows what one command may take.
    package init(
        time: Duration = usualTime, processorTime: Duration = usualProcessorTime, bytes: Int = 64 << 20
    ) {
        self.time = time
        self.processorTime = processorTime
        self.bytes = bytes
    }

    /// What is left of the time, and of the processor time.
    var left: (time: Duration, processorTime: Duration) {
        used.withLock { (time - $0.time, processorTime - $0.processorTime) }
    }

    /// Counts a call that ended.
    func spend(time: Duration, processorTime: Duration) {
        used.withLock {
            $0.time += time
            $0.processorTime += processorTime
        }
    }

    /// Counts bytes that are about to be read.
    func hold(bytes count: Int) throws(GitFailure) {
        let isTooMuch = used.withLock { used in
            used.bytes += count
            return used.bytes > bytes
        }
        guard !isTooMuch else {
            throw .tooLarge(
                "the commits have more than \(bytes.formattedBytes) of files to compare: compare fewer at a time")
        }
    }
}
