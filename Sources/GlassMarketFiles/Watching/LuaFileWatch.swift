import Dispatch
import GlassDeepLinking

/// Waits for changes to the Lua files in several folders.
package final class LuaFileWatch: Sendable {
    /// The metadata of the Lua files in the folders at one moment.
    package struct Files: Sendable, Equatable {
        fileprivate let entries: [String: FolderScan.Entry]

        /// The paths of the files that were written, created or deleted since an earlier moment, sorted.
        func changes(since before: Files) -> [String] {
            Set(entries.keys).union(before.entries.keys).filter { entries[$0] != before.entries[$0] }.sorted()
        }
    }

    private let folders: [String]
    private let watchers: [FolderWatcher]
    /// Counts the reports of the watchers that have not been handled yet.
    private let reports = DispatchSemaphore(value: 0)

    /// Starts to watch. Changes from now on are detected.
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

    /// The method of watching; never ``WatchMethod/automatic``.
    package var method: WatchMethod { watchers.first?.method ?? .automatic }

    /// The current files.
    package func files() -> Files { Self.files(in: folders) }

    /// The current Lua files of folders.
    static func files(in folders: [String]) -> Files {
        var entries: [String: FolderScan.Entry] = [:]
        for folder in folders {
            for (path, entry) in FolderScan(folder).entries where path.hasSuffix(".lua") && !entry.isFolder {
                entries[path] = entry
            }
        }
        return Files(entries: entries)
    }

    /// Waits until the files differ from those of an earlier moment.
    ///
    /// Other files in the folders do not end the wait, so that a program that writes results next to the scripts does
    /// not wake itself.
    package func changes(since before: Files) -> [String] {
        while true {
            reports.wait()
            let changed = files().changes(since: before)
            if !changed.isEmpty { return changed }
        }
    }
}
