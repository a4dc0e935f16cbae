import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a folder holds, as far as that shows from outside: two scans are equal when nothing was written between them.
struct FolderScan: Equatable {
    /// What tells one state of a file from another.
    struct Entry: Equatable, Sendable {
        let device: UInt64
        let inode: UInt64
        let mode: UInt32
        let size: Int64
        let modified: [Int]
        let changed: [Int]

        /// Asks the system about a file or folder; follows a symbolic link.
        ///
        /// - Returns: Nil when there is nothing.
        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(status.st_ino)
            mode = UInt32(status.st_mode)
            size = Int64(status.st_size)
            #if canImport(Darwin)
                let (modification, change) = (status.st_mtimespec, status.st_ctimespec)
            #else
                let (modification, change) = (status.st_mtim, status.st_ctim)
            #endif
            modified = [Int(modification.tv_sec), Int(modification.tv_nsec)]
            changed = [Int(change.tv_sec), Int(change.tv_nsec)]
        }

        var isFolder: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }

        /// Whether both are the same file, whatever it holds.
        func isSameFile(as other: Entry) -> Bool { device == other.device && inode == other.inode }
    }

    /// What there is, by path.
    private(set) var entries: [String: Entry] = [:]
    /// The folders that hold what symbolic links lead to.
    private(set) var linkedFolders: Set<String> = []

    /// More than this is no markets folder.
    private static let limit = 20_000

    /// Looks at a folder and everything below it, but hidden folders.
    ///
    /// - Parameter path: The folder; one that is not there has no entries.
    init(_ path: String) {
        add(path, depth: 0)
    }

    /// The folders among the entries.
    var folders: [String] { entries.filter(\.value.isFolder).map(\.key) }

    private mutating func add(_ path: String, depth: Int) {
        guard entries.count < Self.limit, depth < 16 else { return }
        let url = URL(fileURLWithPath: path)
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)  // what is no link has none
        if target != nil { linkedFolders.insert(url.resolvingSymlinksInPath().deletingLastPathComponent().path) }
        guard let entry = Entry(path) else { return }
        entries[path] = entry
        // Links to folders are not followed: what they lead to inside of the folder is seen there.
        guard entry.isFolder, depth == 0 || target == nil else { return }
        let names = try? FileManager.default.contentsOfDirectory(atPath: path)  // the loader says why it cannot be read
        for name in names ?? [] {
            let inner = "\(path)/\(name)"
            if name.hasPrefix("."), Entry(inner)?.isFolder ?? true { continue }
            add(inner, depth: depth + 1)
        }
    }
}
