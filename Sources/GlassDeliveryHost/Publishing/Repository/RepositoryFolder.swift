import Foundation
import GlassBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The folder that a web server serves: `metadata/` and `targets/`, and `staged/` for files that are waiting for
/// signatures.
struct RepositoryFolder: Sendable {
    /// Its path.
    let path: String
    /// The user's umask, so that the web server can read the files; the umask of the process is stricter.
    private let mask: Int

    /// A file to write.
    struct File: Sendable, Equatable {
        /// Its path relative to the folder.
        let name: String
        /// Its content.
        let bytes: [UInt8]

        init(_ name: String, _ bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    /// The path of the only file whose content changes.
    static let timestamp = "metadata/timestamp.json"

    /// Creates a value for a folder. Reads nothing.
    init(_ path: String, mask: Int = 0o022) {
        self.path = path
        self.mask = mask
    }

    /// Whether a path is the folder or inside it, so that what it names would be served.
    func contains(_ other: String) -> Bool {
        let (whole, inner) = (Self.whole(path), Self.whole(other))
        return inner == whole || inner.hasPrefix("\(whole)/")
    }

    /// The path without links and dots. The part that does not exist stays as it is.
    static func whole(_ path: String) -> String {
        if let resolved = realpath(path.isEmpty ? "." : path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        let (folder, name) = ConfinedDirectory.split(
            path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path)
        return folder.path == path ? path : "\(whole(folder.path))/\(name)"
    }

    /// The published folder that a path is in; `nil` if it is in none.
    static func folder(around path: String) -> String? {
        var folder = whole(path)
        while folder.count > 1 {
            if FileManager.default.fileExists(atPath: "\(folder)/metadata/1.root.json") { return folder }
            folder = URL(filePath: folder).deletingLastPathComponent().path
        }
        return nil
    }

    // MARK: Reading

    /// Reads a file. Returns `nil` if it does not exist.
    func read(_ name: String, limit: Int) throws(PublishingError) -> [UInt8]? {
        do throws(FileFailure) {
            return try ConfinedDirectory(path).contents(of: name, limit: limit)
        } catch {
            if error.kind == .missing { return nil }
            throw failure("read", name, error)
        }
    }

    /// The available versions of a role's metadata, in ascending order.
    func versions(of role: String, in folder: String = "metadata") -> [Int] {
        names(in: folder).compactMap { name in
            guard name.hasSuffix(".\(role).json") else { return nil }
            return Int(name.dropLast(".\(role).json".count))
        }.sorted()
    }

    /// The paths of all files and folders below a subfolder; empty if there is none.
    func names(in folder: String) -> [String] {
        // A folder that cannot be listed contains nothing that this process could read; the later read reports the
        // error.
        (FileManager.default.enumerator(atPath: "\(path)/\(folder)")?.compactMap { $0 as? String } ?? []).sorted()
    }

    // MARK: Writing

    /// Writes files in order.
    ///
    /// Each file is written under a temporary name and renamed once it is durable, so that readers never see a partial
    /// file, even if the process is killed.
    func write(_ files: [File]) throws(PublishingError) {
        for file in files {
            let there: [UInt8]?
            do throws(FileFailure) {
                // Reads only as much as is needed to see that the content differs.
                there = try ConfinedDirectory(path).read(file.name, limit: file.bytes.count)
            } catch {
                guard error.kind == .missing else { throw failure("read", file.name, error) }
                there = nil
            }
            if let there {
                if there == file.bytes { continue }
                guard file.name == Self.timestamp || file.name.hasPrefix("staged/") else {
                    throw .refused(
                        "\(path)/\(file.name) is published with different content, which clients may have; "
                            + "was the folder restored from a backup?")
                }
            }
            try write(file)
        }
    }

    /// Removes the staged files.
    func removeStaged(except kept: Set<String> = []) throws(PublishingError) {
        let folder = "\(path)/staged"
        guard FileManager.default.fileExists(atPath: folder) else { return }
        let files = names(in: "staged").map { "staged/\($0)" }
        let gone =
            kept.isEmpty
            ? ["staged"] : files.filter { name in !kept.contains { $0 == name || $0.hasPrefix("\(name)/") } }
        for name in gone {
            // Removing a folder has already removed its files.
            guard FileManager.default.fileExists(atPath: "\(path)/\(name)") else { continue }
            do {
                try FileManager.default.removeItem(atPath: "\(path)/\(name)")
            } catch {
                throw .impossible("cannot remove \(path)/\(name): \(error.localizedDescription)")
            }
        }
    }

    private func write(_ file: File) throws(PublishingError) {
        let permissions = mode_t(0o666 & ~mask)
        var writing = ConfinedDirectory.Writing(mode: permissions, folderMode: mode_t(0o777 & ~mask))
        writing.isDurable = true
        writing.prepare = { descriptor, replaced in
            fchmod(descriptor, permissions) == 0 && Self.makeNewer(descriptor, than: replaced)
        }
        do throws(FileFailure) {
            try ConfinedDirectory(path).write(file.bytes, to: file.name, as: writing)
        } catch {
            throw failure("write", file.name, error)
        }
    }

    /// Gives an open file a modification time that is later than that of the replaced file, in whole seconds.
    ///
    /// Web servers derive validators from it: `Last-Modified` has a resolution of seconds (RFC 9110, 8.8.2), and nginx
    /// derives its `ETag` from the seconds and the length. Two timestamps have the same length, so a client would get
    /// the response that nothing has changed.
    private static func makeNewer(_ descriptor: CInt, than replaced: stat?) -> Bool {
        guard let old = replaced else { return true }
        var new = stat()
        guard fstat(descriptor, &new) == 0 else { return false }
        #if canImport(Darwin)
            let (last, now) = (old.st_mtimespec.tv_sec, new.st_mtimespec.tv_sec)
        #else
            let (last, now) = (old.st_mtim.tv_sec, new.st_mtim.tv_sec)
        #endif
        guard now <= last else { return true }
        let later = timespec(tv_sec: last + 1, tv_nsec: 0)
        return futimens(descriptor, [later, later]) == 0
    }

    // MARK: Locking

    /// Runs `body` while no other process can publish to the folder.
    @discardableResult
    func locked<Result>(_ body: () throws -> Result) throws -> Result {
        do throws(FileFailure) {
            try ConfinedDirectory.make(path, mode: mode_t(0o777 & ~mask))
        } catch {
            throw PublishingError.impossible("cannot create the folder \(path): \(error.reason)")
        }
        // Lock the folder itself, because a lock file in it would be served.
        let folder: Descriptor
        do throws(POSIXFailure) {
            folder = try PrivateFolder.open(path)
        } catch {
            throw failure("open", "", FileFailure(code: error.code))
        }
        guard FileCalls.tryLock(folder.number) else {
            throw PublishingError.impossible("another process is publishing to \(path); try again when it is done")
        }
        // Nobody else writes now, so an unfinished file is of a process that was killed.
        for subfolder in ["metadata", "targets"] {
            for name in names(in: subfolder) where name.contains(/(^|\/)\.[0-9a-z]+\.part$/) {
                unlink("\(path)/\(subfolder)/\(name)")
            }
        }
        return try withExtendedLifetime(folder) { try body() }
    }

    private func failure(_ verb: String, _ name: String, _ reason: FileFailure) -> PublishingError {
        .impossible("cannot \(verb) \(path)/\(name): \(reason)")
    }
}
