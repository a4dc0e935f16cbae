import Dispatch
import GlassDeepLinking

/// Waits for changes of the Lua files in several folders.
package final class LuaFileWatch: Sendable {
    /// The Lua files of the folders at one moment, as far as they show from outside.
    package struct Files: Sendable, Equatable {
        fileprivate let entries: [String: FolderScan.Entry]

        /// The paths of the files that were written, made or deleted since an earlier moment, sorted.
        func changes(since before: Files) -> [String] {
            Set(entries.keys).union(before.entries.keys).filter { entries[$0] != before.entries[$0] }.sorted()
        }
    }

    private let folders: [String]
    private let watchers: [FolderWatcher]
    /// Counts the reports of the watchers that were not handled yet.
    private let reports = DispatchSemaphore(value: 0)

    /// Begins to watch; what changes from now on will be noticed.
    package init(
        _ folders: [String], method: WatchMethod = .automatic, settle: Duration = .milliseconds(200)
    ) throws(WatchError) {
        self.folders = folders
        var watchers: [FolderWatcher] = []
        for folder in folders { watchers.append(try FolderWatcher(folder, method: method, settle: settle)) }
        self.watchers = watchers
        let reports = reports
        for watcher in watchers { watcher.start { reports.signal() } }
    }

    /// How the folders are watched; never ``WatchMethod/automatic``.
    package var method: WatchMethod { watchers.first?.method ?? .automatic }

    /// The files as they are now.
    package func files() -> Files { Self.files(in: folders) }

    /// The Lua files of folders as they are now.
    static func files(in folders: [String]) -> Files {
        var entries: [String: FolderScan.Entry] = [:]
        for folder in folders {
            for (path, entry) in FolderScan(folder).entries where path.hasSuffix(".lua") && !entry.isFolder {
                entries[path] = entry
            }
        }
        return Files(entries: entries)
    }

    /// Waits until the files are others than they were.
    ///
    /// Other files in the folders do not end the wait, so that whoever writes results beside the scripts does not wake
    /// himself.
    package func changes(since before: Files) -> [String] {
        while true {
            reports.wait()
            let changed = files().changes(since: before)
            if !changed.isEmpty { return changed }
        }
    }
}
