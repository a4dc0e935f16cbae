#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Files that only their owner can access.
package enum PrivateFile {
    /// Opens a file, creating it if it does not exist. A file of the current user is restricted to mode 0600.
    package static func open(_ path: String, _ flags: CInt, call: String = "open") throws(POSIXFailure) -> Descriptor {
        // A symbolic link could lead to an unrelated file, and opening a pipe would wait for its reader.
        let number = openSystem(path, flags | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw POSIXFailure(call, path) }
        let file = Descriptor(number)
        var status = stat()
        if fstat(number, &status) == 0, status.st_mode & 0o777 != 0o600, status.st_uid == geteuid() {
            // A file system without modes, such as that of a memory card, leaves the file as usable as it is.
            _ = fchmod(number, 0o600)
        }
        return file
    }

    /// Creates an empty file, unless it exists. Restricts its permissions and those of all files whose names start with
    /// its name: the log and the index of a database, and damaged copies.
    ///
    /// It works by path, because closing a descriptor of a database file would release the locks that SQLite holds on
    /// it.
    package static func makeWithCompanions(_ path: String) throws(POSIXFailure) {
        do throws(POSIXFailure) {
            _ = try open(path, O_WRONLY | O_EXCL)
        } catch {
            guard error.code == EEXIST else { throw error }
        }
        let (folder, prefix) = ConfinedDirectory.split(path)
        let start = String(path.dropLast(prefix.count))
        // The folder was just opened, and is private itself.
        let names = (try? folder.openFolder().names(limit: .max)) ?? []  // no names: none to restrict
        for name in names where name.hasPrefix(prefix) {
            let path = start + name
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0,
                status.st_uid == geteuid()
            else { continue }
            guard chmod(path, 0o600) == 0 else { throw POSIXFailure("change the permissions of", path) }
        }
    }
}

private func openSystem(_ path: String, _ flags: CInt) -> CInt { open(path, flags, 0o600) }

/// A lock on a separate file, which one process at a time can hold. It is released when the process ends for any
/// reason.
///
/// It never locks a database. It protects only what SQLite does not: creating, checking, and renaming a whole file.
package enum FileLock {
    /// Runs `body` with the lock, after waiting for the process that holds it.
    package static func hold<Result>(_ path: String, timeout: Duration, _ body: () throws -> Result) throws -> Result {
        let file = try PrivateFile.open(path, O_RDWR)
        let deadline = ContinuousClock.now + timeout
        // `flock` cannot wait with a timeout, so poll until the deadline.
        while !FileCalls.tryLock(file.number) {
            let failure = POSIXFailure("lock", path)
            guard failure.code == EWOULDBLOCK || failure.code == EINTR, ContinuousClock.now < deadline else {
                throw failure
            }
            usleep(2_000)
        }
        return try withExtendedLifetime(file) { try body() }
    }
}
