import Foundation
import GlassBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The folder that a web server serves: `metadata/` and `targets/`; and `staged/`, what waits for signatures.
package struct RepositoryFolder: Sendable {
    /// Its path.
    package let path: String
    /// The umask of the user, whose web server is to read what is written; the process itself has a stricter one.
    private let mask: Int

    /// A file to write.
    package struct File: Sendable, Equatable {
        /// Its name below the folder.
        package let name: String
        /// Its content.
        package let bytes: [UInt8]

        /// Describes a file.
        package init(_ name: String, _ bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    /// Where the file is that changes its content; all others never do.
    package static let timestamp = "metadata/timestamp.json"

    /// Names a folder; nothing is read.
    package init(_ path: String, mask: Int = 0o022) {
        self.path = path
        self.mask = mask
    }

    // MARK: Reading

    /// Reads a file.
    package func read(_ name: String, limit: Int) throws(PublishingError) -> [UInt8]? {
        do throws(FileFailure) {
            return try ConfinedDirectory(path).contents(of: name, limit: limit)
        } catch {
            if error.kind == .missing { return nil }
            throw failure("read", name, error)
        }
    }

    /// The versions of a role's metadata that there are.
    package func versions(of role: String, in folder: String = "metadata") -> [Int] {
        names(in: folder).compactMap { name in
            guard name.hasSuffix(".\(role).json") else { return nil }
            return Int(name.dropLast(".\(role).json".count))
        }.sorted()
    }

    /// The names in a folder below this one, with those further below; nothing when there is none.
    func names(in folder: String) -> [String] {
        // A folder that cannot be listed has nothing that this process could read either, which is told when it reads.
        (FileManager.default.enumerator(atPath: "\(path)/\(folder)")?.compactMap { $0 as? String } ?? []).sorted()
    }

    // MARK: Writing

    /// Writes files, one after the other in their order.
    ///
    /// Each is written beside its place and renamed when it is on the disk, so that a reader, or a kill, sees a whole file
    /// or none.
    package func write(_ files: [File]) throws(PublishingError) {
        for file in files {
            let there: [UInt8]?
            do throws(FileFailure) {
                // No more than it takes to see that it is another content.
                there = try ConfinedDirectory(path).read(file.name, limit: file.bytes.count)
            } catch {
                guard error.kind == .missing else { throw failure("read", file.name, error) }
                there = nil
            }
            if let there {
                if there == file.bytes { continue }
                guard file.name == Self.timestamp || file.name.hasPrefix("staged/") else {
                    throw .refused(
                        "\(path)/\(file.name) is published with another content, which clients may have; "
                            + "was the folder restored from a backup?")
                }
            }
            try write(file)
        }
    }

    /// Removes what is staged.
    package func removeStaged(except kept: Set<String> = []) throws(PublishingError) {
        let folder = "\(path)/staged"
        guard FileManager.default.fileExists(atPath: folder) else { return }
        let files = names(in: "staged").map { "staged/\($0)" }
        let gone =
            kept.isEmpty
            ? ["staged"] : files.filter { name in !kept.contains { $0 == name || $0.hasPrefix("\(name)/") } }
        for name in gone {
            // A folder that went before has taken its files along.
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

    /// Gives an open file a later time than the one it replaces, in whole seconds.
    ///
    /// Web servers make validators of them: `Last-Modified` has seconds (RFC 9110, 8.8.2), and nginx makes its `ETag` of
    /// seconds and length. Two timestamps are as long as each other, so a client would be told that nothing had changed.
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

    // MARK: One at a time

    /// Runs `body` while no other process publishes to the folder.
    @discardableResult
    package func locked<Result>(_ body: () throws -> Result) throws -> Result {
        do throws(FileFailure) {
            try ConfinedDirectory.make(path, mode: mode_t(0o777 & ~mask))
        } catch {
            throw PublishingError.impossible("cannot make the folder \(path): \(error.reason)")
        }
        // The folder itself is locked: a file for it would be served.
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", "", FileFailure(code: errno)) }
        // Closing the descriptor gives the lock back.
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw PublishingError.impossible("another process is publishing to \(path); try again when it is done")
        }
        return try body()
    }

    private func failure(_ verb: String, _ name: String, _ reason: FileFailure) -> PublishingError {
        .impossible("cannot \(verb) \(path)/\(name): \(reason)")
    }
}
