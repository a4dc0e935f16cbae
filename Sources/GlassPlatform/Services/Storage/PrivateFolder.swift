package import Foundation
package import GlassBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension PrivateFolder {
    /// Makes a folder of mode 0700, with those above it, or takes from one that is there what others may.
    @discardableResult
    package static func make(_ folder: URL) throws -> Bool {
        try make(folder.standardizedFileURL.path)
    }

    /// Makes a folder as ``make(_:)-(URL)`` does, and leaves one of others as it is.
    package static func makeOrShare(_ folder: URL) throws {
        try makeOrShare(folder.standardizedFileURL.path)
    }

    /// Makes a folder for the state of all markets, and marks it.
    @discardableResult
    package static func makeMarked(_ folder: URL) throws -> Bool {
        try makeMarked(folder.standardizedFileURL.path)
    }
}

/// Files that only their owner can open.
enum PrivateFile {
    /// Opens a file and makes it when there is none; one's own is narrowed to 0600.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - flags: How it is opened; `O_CREAT` is added.
    /// - Returns: The descriptor, which the caller closes.
    /// - Throws: `POSIXFailure`.
    static func open(_ path: String, _ flags: CInt) throws(POSIXFailure) -> CInt {
        // A link would lead to a file of another purpose, and a pipe would wait for its reader.
        let descriptor = openSystem(path, flags | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXFailure("open", path) }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & 0o777 != 0o600, status.st_uid == geteuid() {
            // A file system without modes, such as one of a memory card, keeps the file as usable as it is.
            _ = fchmod(descriptor, 0o600)
        }
        return descriptor
    }

    /// Writes a file that is not there yet.
    static func write(_ content: Data, to path: String) throws(POSIXFailure) {
        let descriptor = try open(path, O_WRONLY | O_EXCL)
        defer { close(descriptor) }
        try write(content, to: descriptor, path)
    }

    /// Writes all of a content.
    static func write(_ content: Data, to descriptor: CInt, _ path: String) throws(POSIXFailure) {
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { writeSystem(descriptor, $0) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw POSIXFailure("write", path)
            }
        }
    }

    /// Makes an empty file, unless there is one, and narrows it and all files whose names begin with its name: the log
    /// and the index of a database, and damaged copies.
    ///
    /// By path, because closing a descriptor of a database file drops the locks that SQLite holds on it.
    static func makeWithCompanions(_ path: String) throws(POSIXFailure) {
        do throws(POSIXFailure) {
            close(try open(path, O_WRONLY | O_EXCL))
        } catch {
            guard error.code == EEXIST else { throw error }
        }
        let file = URL(filePath: path)
        let folder = file.deletingLastPathComponent().path
        // The folder was just opened, and is private itself.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []  // no names: none to narrow
        for name in names where name.hasPrefix(file.lastPathComponent) {
            let path = "\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0,
                status.st_uid == geteuid()
            else { continue }
            guard chmod(path, 0o600) == 0 else { throw POSIXFailure("narrow", path) }
        }
    }
}

private func openSystem(_ path: String, _ flags: CInt) -> CInt { open(path, flags, 0o600) }

private func writeSystem(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
