import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Which file a path leads to, whatever it is called.
struct FileIdentity: Equatable {
    let device: UInt64
    let number: UInt64
}

/// The outbox's file and what lies beside it.
struct OutboxFile: Sendable {
    let path: String
    private let folder: String
    private let name: String

    init(url: URL) {
        path = url.path
        folder = url.deletingLastPathComponent().path
        name = url.lastPathComponent
    }

    /// Which file the path leads to at the moment; nil when there is none.
    func identity() -> FileIdentity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return FileIdentity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    }

    func makeFolder() throws(AnalyticsOutboxError) {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw .folder(path, code: errno == 0 ? EIO : errno)
        }
    }

    /// Opens and sets aside one at a time: two processes that find a corrupt file must not both move it.
    func whileLocked<Value>(timeout: Duration, _ clock: TelemetryClock, _ body: () throws -> Value) throws -> Value {
        let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw AnalyticsOutboxError.folder(path, code: errno) }
        defer { close(descriptor) }
        let start = clock.uptime()
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw AnalyticsOutboxError.folder(path, code: errno) }
            guard clock.uptime() - start < timeout else { throw AnalyticsOutboxError.locked(path) }
            usleep(2_000)
        }
        return try body()
    }

    /// Moves the file and its journal away.
    ///
    /// - Returns: Its new name.
    func moveAside() throws -> String {
        let suffix = ".corrupt-" + UUID().uuidString.prefix(8).lowercased()
        guard rename(path, path + suffix) == 0 else { throw AnalyticsOutboxError.folder(path, code: errno) }
        for journal in ["-wal", "-shm"] where access(path + journal, F_OK) == 0 {
            guard rename(path + journal, path + suffix + journal) == 0 else {
                throw AnalyticsOutboxError.folder(path, code: errno)
            }
        }
        return name + suffix
    }

    /// The names of the files that were moved away, in byte order.
    func setAside() -> [String] {
        // A folder that cannot be listed has none to show.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []  // Nothing to report then.
        return names.filter { name in
            name.hasPrefix(self.name + ".corrupt-") && !name.hasSuffix("-wal") && !name.hasSuffix("-shm")
        }.sorted()
    }
}
