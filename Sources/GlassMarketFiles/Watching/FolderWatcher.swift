import Foundation
import GlassBase

/// Calls back when a folder has changed and has then been left alone for a moment.
final class FolderWatcher: Sendable {
    /// The method of watching; never ``WatchMethod/automatic``.
    let method: WatchMethod
    private let source: any ChangeSource
    private let settle: Duration

    /// Prepares to watch. Changes from now on are detected.
    init(_ path: String, method: WatchMethod, settle: Duration) throws(WatchError) {
        self.settle = settle
        do throws(FileFailure) {
            (source, self.method) = try Self.source(path, method)
        } catch {
            throw .unavailable(path, reason: error.reason)
        }
    }

    deinit {
        source.stop()
    }

    /// Starts to watch, on a thread of its own.
    func start(_ onChange: @escaping @Sendable () -> Void) {
        let (source, settle) = (source, settle)
        let thread = Thread {
            while true {
                switch source.wait(nil) {
                case .stopped: return
                case .quiet: continue
                case .changed: break
                }
                // A folder that never settles is reported anyway.
                let patience = ContinuousClock.now + settle * 10
                var report = ChangeSourceReport.changed
                while report == .changed, ContinuousClock.now < patience { report = source.wait(settle) }
                if report == .stopped { return }
                onChange()
            }
        }
        thread.name = "glass.watch"
        thread.start()
    }

    /// Stops watching; a callback that is running completes.
    func stop() {
        source.stop()
    }

    private static func source(
        _ path: String, _ method: WatchMethod
    ) throws(FileFailure) -> (any ChangeSource, WatchMethod) {
        switch method {
        case .polling(let interval):
            let interval = max(interval, .milliseconds(10))
            return (try PollingSource(path, interval: interval), .polling(every: interval))
        case .inotify:
            #if os(Linux)
                return (try InotifySource(path), .inotify)
            #else
                throw FileFailure(reason: "inotify is not available on this system")
            #endif
        case .automatic:
            do throws(FileFailure) {
                return try source(path, .inotify)
            } catch {
                return try source(path, .usualPolling)
            }
        }
    }
}
