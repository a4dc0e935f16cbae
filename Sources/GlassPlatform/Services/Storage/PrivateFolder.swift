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
    /// Creates a folder with mode 0700 and its parents, or removes the permissions of others from an existing one.
    @discardableResult
    package static func make(_ folder: URL) throws -> Bool {
        try make(folder.standardizedFileURL.path)
    }

    /// Creates a folder like ``make(_:)-(URL)``, but leaves an open folder with unrelated files unchanged.
    package static func makeOrShare(_ folder: URL) throws {
        try makeOrShare(folder.standardizedFileURL.path)
    }

    /// Creates and marks a folder for the state of all markets.
    @discardableResult
    package static func makeMarked(_ folder: URL) throws -> Bool {
        try makeMarked(folder.standardizedFileURL.path)
    }
}

/// Files that only their owner can access.
enum PrivateFile {
    /// Opens a file, creating it if it does not exist. A file of the current user is restricted to mode 0600.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - flags: The flags to open it with; `O_CREAT` is added.
    /// - Returns: The descriptor, which the caller closes.
    /// - Throws: `POSIXFailure`.
    static func open(_ path: String, _ flags: CInt) throws(POSIXFailure) -> CInt {
        // A symbolic link could lead to an unrelated file, and opening a pipe would wait for its reader.
        let descriptor = openSystem(path, flags | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXFailure("open", path) }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & 0o777 != 0o600, status.st_uid == geteuid() {
            // A file system without modes, such as that of a memory card, leaves the file as usable as it is.
            _ = fchmod(descriptor, 0o600)
        }
        return descriptor
    }

    /// Writes a file that must not exist yet.
    static func write(_ content: Data, to path: String) throws(POSIXFailure) {
        let descriptor = try open(path, O_WRONLY | O_EXCL)
        defer { close(descriptor) }
        try write(content, to: descriptor, path)
    }

    /// Writes all bytes of the content.
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

    /// Creates an empty file, unless it exists. Restricts its permissions and those of all files whose names start with
    /// its name: the log and the index of a database, and damaged copies.
    ///
    /// It works by path, because closing a descriptor of a database file would release the locks that SQLite holds on
    /// it.
    static func makeWithCompanions(_ path: String) throws(POSIXFailure) {
        do throws(POSIXFailure) {
            close(try open(path, O_WRONLY | O_EXCL))
        } catch {
            guard error.code == EEXIST else { throw error }
        }
        let file = URL(filePath: path)
        let folder = file.deletingLastPathComponent().path
        // The folder was just opened, and is private itself.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []  // no names: none to restrict
        for name in names where name.hasPrefix(file.lastPathComponent) {
            let path = "\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0,
                status.st_uid == geteuid()
            else { continue }
            guard chmod(path, 0o600) == 0 else { throw POSIXFailure("change the permissions of", path) }
        }
    }
}

private func openSystem(_ path: String, _ flags: CInt) -> CInt { open(path, flags, 0o600) }

private func writeSystem(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
