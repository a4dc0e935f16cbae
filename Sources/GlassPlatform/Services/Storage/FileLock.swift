import Foundation
import GlassBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A lock that one process at a time holds on a file of its own; it ends with the process, however that ends.
///
/// A database is never locked by it, only what SQLite does not protect: creating, checking and renaming a whole file.
enum FileLock {
    /// Runs `body` with the lock, after waiting for whoever has it.
    static func hold<Result>(_ path: String, timeout: Duration, _ body: () throws -> Result) throws -> Result {
        let descriptor = try PrivateFile.open(path, O_RDWR)
        // Closing the descriptor gives the lock back.
        defer { close(descriptor) }
        let deadline = ContinuousClock.now + timeout
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let failure = POSIXFailure("lock", path)
            guard failure.code == EWOULDBLOCK || failure.code == EINTR, ContinuousClock.now < deadline else {
                throw failure
            }
            usleep(2_000)
        }
        return try body()
    }
}

/// Which file is at a path: another file of the same name has another identity.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let node: UInt64

    /// Asks for the file at a path without opening it: closing a second descriptor of a database file would drop the
    /// locks that SQLite holds through the first.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        node = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// The size of the file at a path, in bytes; 0 when there is none.
    static func size(ofFileAt path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
