import Foundation
import GlassBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The metadata of a folder's contents. Two scans are equal if nothing was written between them.
struct FolderScan: Equatable {
    /// The metadata that distinguishes one state of a file from another.
    struct Entry: Equatable, Sendable {
        let device: UInt64
        let inode: UInt64
        let mode: UInt32
        let size: Int64
        let modified: [Int]
        let changed: [Int]

        /// Reads the metadata of a file or folder; follows a symbolic link.
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

        /// Whether both are the same file, regardless of its contents.
        func isSameFile(as other: Entry) -> Bool { device == other.device && inode == other.inode }
    }

    /// The entries by path. A symbolic link has the metadata of its target if that is in the folder; other targets are
    /// not read.
    private(set) var entries: [String: Entry] = [:]
    /// The folders that contain the targets of symbolic links, such as hidden ones.
    private(set) var linkedFolders: Set<String> = []

    /// The maximum number of entries. A folder with more is not a markets folder.
    private static let limit = 20_000

    /// Scans a folder and everything below it, except hidden folders.
    init(_ path: String) {
        guard let entry = Entry(path) else { return }
        entries[path] = entry
        if entry.isFolder { addContent(of: path, below: ConfinedDirectory(path), at: "", depth: 1) }
    }

    /// Whether a path names a symbolic link. Uses `lstat`, because Foundation would create an error for every file that
    /// is not one.
    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// The folders among the entries.
    var folders: [String] { entries.filter(\.value.isFolder).map(\.key) }

    private mutating func addContent(of folder: String, below root: ConfinedDirectory, at place: String, depth: Int) {
        let names = try? ConfinedDirectory(folder).names()  // the loader reports the failure
        for name in names ?? [] {
            guard entries.count < Self.limit, depth < 16 else { return }
            let path = "\(folder)/\(name)"
            let isLink = Self.isLink(path)
            let entry: Entry
            if !isLink {
                guard let own = Entry(path) else { continue }
                entry = own
            } else {
                guard let status = try? root.status(of: place + name) else { continue }  // nothing reads it
                entry = Entry(status)
                let real = URL(fileURLWithPath: path).resolvingSymlinksInPath()
                linkedFolders.insert(real.deletingLastPathComponent().path)
            }
            if name.hasPrefix("."), entry.isFolder { continue }
            entries[path] = entry
            // Symbolic links to folders are not followed: a target inside the folder is scanned there.
            guard entry.isFolder, !isLink else { continue }
            addContent(of: path, below: root, at: "\(place)\(name)/", depth: depth + 1)
        }
    }
}
