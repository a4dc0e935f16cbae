import Foundation
import GlassBase

/// Calls back when a folder has changed and then been left alone for a moment.
final class FolderWatcher: Sendable {
    /// How the folder is watched; never ``WatchMethod/automatic``.
    let method: WatchMethod
    private let source: any ChangeSource
    private let settle: Duration

    /// Prepares to watch; what changes from now on will be noticed.
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
                // A folder that never comes to rest is looked at anyway.
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

    /// Ends the watching; a call that is going on ends in its own time.
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
                throw FileFailure(reason: "this system has no inotify")
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
