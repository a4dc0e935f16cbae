import Foundation
import GlassBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a folder holds, as far as that shows from outside: two scans are equal when nothing was written between them.
struct FolderScan: Equatable {
    /// What distinguishes one state of a file from another.
    struct Entry: Equatable, Sendable {
        let device: UInt64
        let inode: UInt64
        let mode: UInt32
        let size: Int64
        let modified: [Int]
        let changed: [Int]

        /// Asks the system about a file or folder; follows a symbolic link.
        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            self.init(status)
        }

        fileprivate init(_ status: stat) {
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

    /// What there is, by path. Of a symbolic link what it leads to, if that is in the folder: nothing else is read.
    private(set) var entries: [String: Entry] = [:]
    /// The folders that hold what symbolic links lead to, such as hidden ones.
    private(set) var linkedFolders: Set<String> = []

    /// More than this is no markets folder.
    private static let limit = 20_000

    /// Looks at a folder and everything below it, but hidden folders.
    init(_ path: String) {
        guard let entry = Entry(path) else { return }
        entries[path] = entry
        if entry.isFolder { addContent(of: path, below: ConfinedDirectory(path), at: "", depth: 1) }
    }

    /// Whether a path names a symbolic link. Asked of every file of a folder, for which Foundation would make an error.
    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// The folders among the entries.
    var folders: [String] { entries.filter(\.value.isFolder).map(\.key) }

    private mutating func addContent(of folder: String, below root: ConfinedDirectory, at place: String, depth: Int) {
        let names = try? ConfinedDirectory(folder).names()  // the loader says why it cannot
        for name in names ?? [] {
            guard entries.count < Self.limit, depth < 16 else { return }
            let path = "\(folder)/\(name)"
            let isLink = Self.isLink(path)
            let entry: Entry
            if !isLink {
                guard let own = Entry(path) else { continue }
                entry = own
            } else {
                guard let status = try? root.status(of: place + name) else { continue }  // nobody reads it
                entry = Entry(status)
                let real = URL(fileURLWithPath: path).resolvingSymlinksInPath()
                linkedFolders.insert(real.deletingLastPathComponent().path)
            }
            if name.hasPrefix("."), entry.isFolder { continue }
            entries[path] = entry
            // Links to folders are not followed: what they lead to inside of the folder is seen there.
            guard entry.isFolder, !isLink else { continue }
            addContent(of: path, below: root, at: "\(place)\(name)/", depth: depth + 1)
        }
    }
}
