import Foundation
import GlassBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A lock on a separate file, which one process at a time can hold. It is released when the process ends for any
/// reason.
///
/// It never locks a database. It protects only what SQLite does not: creating, checking, and renaming a whole file.
enum FileLock {
    /// Runs `body` with the lock, after waiting for the process that holds it.
    static func hold<Result>(_ path: String, timeout: Duration, _ body: () throws -> Result) throws -> Result {
        let descriptor = try PrivateFile.open(path, O_RDWR)
        // Closing the descriptor releases the lock.
        defer { close(descriptor) }
        let deadline = ContinuousClock.now + timeout
        // `flock` cannot wait with a timeout, so poll until the deadline.
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

/// The identity of the file at a path, which differs for another file with the same name.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let node: UInt64

    /// Gets the identity without opening the file: closing a second descriptor of a database file would release the
    /// locks that SQLite holds with the first.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        node = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// The size of the file at a path, in bytes, or 0 if there is none.
    static func size(ofFileAt path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
