import GlassBase

/// Detects changes by scanning the folder repeatedly.
final class PollingSource: ChangeSource {
    private let path: String
    private let interval: Duration
    private let pipe: WakePipe
    private let last: Lock<FolderScan>

    /// Creates a source. Changes from now on are detected.
    init(_ path: String, interval: Duration) throws(FileFailure) {
        self.path = path
        self.interval = interval
        pipe = try WakePipe()
        last = Lock(FolderScan(path))
    }

    func wait(_ limit: Duration?) -> ChangeSourceReport {
        let deadline = limit.map { ContinuousClock.now + $0 }
        while true {
            let remaining = deadline.map { $0 - ContinuousClock.now }
            if pipe.wait(limit: min(interval, max(remaining ?? interval, .zero))).isWoken { return .stopped }
            let scan = FolderScan(path)
            let isChanged = last.withLock { last in
                defer { last = scan }
                return last != scan
            }
            if isChanged { return .changed }
            if let deadline, ContinuousClock.now >= deadline { return .quiet }
        }
    }

    func stop() {
        pipe.wake()
    }
}
