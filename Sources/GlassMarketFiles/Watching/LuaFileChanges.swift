import GlassBase

/// Calls back with the Lua files of a folder that changed, until it is released.
package final class LuaFileChanges: Sendable {
    private let watcher: FolderWatcher

    /// Starts to watch. Changes from now on are detected.
    package init(
        of folder: String, method: WatchMethod = .automatic, settle: Duration = .milliseconds(50),
        report: @escaping @Sendable ([String]) -> Void
    ) throws(WatchError) {
        watcher = try FolderWatcher(folder, method: method, settle: settle)
        let known = Lock(LuaFileWatch.files(in: [folder]))
        watcher.start {
            let now = LuaFileWatch.files(in: [folder])
            let before = known.withLock { known in
                defer { known = now }
                return known
            }
            let changed = now.changes(since: before)
            if !changed.isEmpty { report(changed) }
        }
    }

    deinit {
        watcher.stop()
    }
}
