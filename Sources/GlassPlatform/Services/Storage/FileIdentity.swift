#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

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

    /// The size of the file at a path, in bytes, or 0 if there is no file.
    static func size(ofFileAt path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
