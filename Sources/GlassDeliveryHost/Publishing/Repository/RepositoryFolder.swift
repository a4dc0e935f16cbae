import Foundation

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
        let file = "\(path)/\(name)"
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure("read", name)
        }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = buffer.withUnsafeMutableBytes { readBytes(descriptor, $0) }
            if count == 0 { return content }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("read", name) }
            content += buffer[..<count]
            guard content.count <= limit else { throw .impossible("\(file) has more than \(limit) bytes") }
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
            if let there = try read(file.name, limit: Int.max) {
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
        let target = "\(path)/\(file.name)"
        let folder = URL(filePath: target).deletingLastPathComponent().path
        try makeFolder(folder)
        let draft = "\(folder)/.\(URL(filePath: target).lastPathComponent).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("write", file.name) }
        do throws(PublishingError) {
            defer { close(descriptor) }
            var rest = file.bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { writeBytes(descriptor, $0) }
                guard count >= 0 || errno == EINTR else { throw failure("write", file.name) }
                rest = rest.dropFirst(max(0, count))
            }
            guard fchmod(descriptor, mode_t(0o666 & ~mask)) == 0, makeNewer(descriptor, than: target),
                fsync(descriptor) == 0
            else { throw failure("write", file.name) }
        } catch {
            // Half a draft would only take space.
            unlink(draft)
            throw error
        }
        guard rename(draft, target) == 0 else {
            let error = failure("write", file.name)
            unlink(draft)
            throw error
        }
        let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw failure("write", file.name) }
        defer { close(opened) }
        guard fsync(opened) == 0 else { throw failure("write", file.name) }
    }

    /// Gives an open file a later time than the one it replaces, in whole seconds.
    ///
    /// Web servers make validators of them: `Last-Modified` has seconds (RFC 9110, 8.8.2), and nginx makes its `ETag` of
    /// seconds and length. Two timestamps are as long as each other, so a client would be told that nothing had changed.
    private func makeNewer(_ descriptor: CInt, than replaced: String) -> Bool {
        var (old, new) = (stat(), stat())
        guard stat(replaced, &old) == 0 else { return errno == ENOENT }
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

    private func makeFolder(_ folder: String) throws(PublishingError) {
        if mkdir(folder, mode_t(0o777 & ~mask)) == 0 {
            // The umask of the process took what the user's leaves.
            _ = chmod(folder, mode_t(0o777 & ~mask))
            return
        }
        if errno == EEXIST { return }
        let parent = URL(filePath: folder).deletingLastPathComponent().path
        guard errno == ENOENT, parent != folder else {
            throw .impossible("cannot make the folder \(folder): \(String(cString: strerror(errno)).lowercased())")
        }
        try makeFolder(parent)
        try makeFolder(folder)
    }

    // MARK: One at a time

    /// Runs `body` while no other process publishes to the folder.
    @discardableResult
    package func locked<Result>(_ body: () throws -> Result) throws -> Result {
        try makeFolder(path)
        // The folder itself is locked: a file for it would be served.
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", "") }
        // Closing the descriptor gives the lock back.
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw PublishingError.impossible("another process is publishing to \(path); try again when it is done")
        }
        return try body()
    }

    private func failure(_ verb: String, _ name: String) -> PublishingError {
        .impossible("cannot \(verb) \(path)/\(name): \(String(cString: strerror(errno)).lowercased())")
    }
}

private func readBytes(_ descriptor: CInt, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}

private func writeBytes(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
