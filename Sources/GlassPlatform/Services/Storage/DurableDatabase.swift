import GlassBase
package import Foundation
package import GRDB
import GlassDeepLinking

/// A SQLite database whose commits survive a kill and a power cut, which several processes may use at once.
///
/// It is opened by its first use and again when that failed, so a folder that becomes writable works again without a
/// restart. What it does beyond a plain connection:
///
/// - **Write-ahead log, `synchronous = FULL`.** A commit returns when the log is on the disk. With `NORMAL`, which is
///   what most use with the log, the log is synced at checkpoints only: a kill would lose nothing, a power cut would
///   take back commits that were acknowledged. On Apple's systems `fullfsync` makes the sync reach the medium.
/// - **A busy timeout.** Who finds the file locked by another process waits, then gets `SQLITE_BUSY` as the cause.
/// - **Checkpoints under the write lock.** SQLite up to 3.51.2 can corrupt a file when a checkpoint meets the end of
///   another one and a commit (the "WAL-reset bug"). Automatic checkpoints run beside commits; here they are off, and a
///   write that leaves a large log behind checkpoints in the mode that holds the write lock.
/// - **A damaged file is set aside** as `<name>.corrupt-<time>`, reported, and a new one started. It is never written
///   to or removed.
/// - **Suspension.** Between GRDB's notifications a lock is given up and none is taken, so that iOS does not end a
///   process that it suspends for a lock in an app group.
/// - **A file from a newer version is refused** and not touched.
///
/// Opening is done under a lock file, so that two processes neither create nor set aside the same file twice.
package final class DurableDatabase: Sendable {
    /// What can be chosen.
    package struct Options: Sendable {
        /// How long to wait for a lock of another process.
        package var busyTimeout: Duration = .seconds(5)
        /// A log of more bytes is put into the database file.
        package var checkpointBytes = 4 * 1024 * 1024
        /// The clock that names files set aside; nothing is ordered by it.
        package var now: @Sendable () -> Date = { Date() }
        /// Told of each issue, outside any lock; the log is told anyway.
        package var onIssue: (@Sendable (StorageIssue) -> Void)?
        /// Whether files may be locked now; nil where nobody says.
        package var suspension: StorageSuspension?
        /// Runs on each new connection, before the first use, such as a quota that a test sets.
        package var prepare: (@Sendable (Database) throws -> Void)?

        /// The defaults.
        package init() {}
    }

    struct Connection: Sendable {
        let queue: DatabaseQueue
        let identity: FileIdentity?
    }

    private struct State {
        var connection: Connection?
        var isClosed = false
        var openings = 0
        var logBytesToCheckpoint: Int
    }

    /// The file; nil in memory.
    package let file: URL?
    let migrator: DatabaseMigrator
    let options: Options
    private let state: Lock<State>
    private let found = Lock<[StorageIssue]>([])
    private let logger = SafeLogger(label: "glass.storage")

    /// Whose read or write the current task is inside of.
    @TaskLocal private static var inside: Set<ObjectIdentifier> = []

    /// Describes a database; nothing is opened yet.
    package init(file: URL?, migrator: DatabaseMigrator, options: Options = Options()) {
        self.file = file
        self.migrator = migrator
        self.options = options
        state = Lock(State(logBytesToCheckpoint: options.checkpointBytes))
    }

    /// What happened to the file since this object was made, in order.
    package var issues: [StorageIssue] { found.withLock { $0 } }

    /// How often the file was opened. SQLite's `data_version` compares within one opening only.
    package var openings: Int { state.withLock { $0.openings } }

    /// Whether nothing can be found here: a database in memory that nobody has opened. Opening it to find that out would
    /// take a quarter of a market's first load.
    package var isNew: Bool { file == nil && state.withLock { $0.connection == nil && !$0.isClosed } }

    /// Reads; sees what was committed when it began.
    package func read<Result>(_ operation: String, _ body: (Database) throws -> Result) throws -> Result {
        try access(operation) { queue in
            try queue.read { database in try Self.$inside.withValue(entered) { try body(database) } }
        }
    }

    /// Writes in one transaction; when this returns, what was written survives a kill and a power cut.
    package func write<Result>(_ operation: String, _ body: (Database) throws -> Result) throws -> Result {
        if isSuspended { throw StorageError.suspended(operation) }
        return try access(operation) { queue in
            let result = try queue.write { database in
                try Self.$inside.withValue(entered) { try body(database) }
            }
            checkpointLargeLog(queue)
            return result
        }
    }

    /// Closes the database. Every later use throws ``StorageError/closed(_:)``.
    package func close() {
        let connection = state.withLock { state in
            defer { state.connection = nil }
            state.isClosed = true
            return state.connection
        }
        do { try connection?.queue.close() } catch { logger.warning("cannot close \(name): \(error)") }
    }

    private var isSuspended: Bool { file != nil && options.suspension?.isSuspended == true }
    private var name: String { file?.lastPathComponent ?? "a database in memory" }
    private var entered: Set<ObjectIdentifier> { Self.inside.union([ObjectIdentifier(self)]) }

    private func access<Result>(_ operation: String, _ body: (DatabaseQueue) throws -> Result) throws -> Result {
        guard !Self.inside.contains(ObjectIdentifier(self)) else { throw StorageError.insideTransaction(operation) }
        let connection = try connection(for: operation)
        do {
            return try body(connection.queue)
        } catch let error as DatabaseError {
            // Nothing else interrupts a connection: a cancelled task has its own error.
            if error.isInterruptionError { throw StorageError.suspended(operation) }
            if error.isCorruption { forget(connection) }
            throw StorageError.unavailable(operation, cause: error)
        }
    }

    /// The open connection, or a new one when there is none or when the file is no longer at its place.
    private func connection(for operation: String) throws -> Connection {
        var issues: [StorageIssue] = []
        defer { issues.forEach(report) }
        return try state.withLock { state in
            if state.isClosed { throw StorageError.closed(operation) }
            if let connection = state.connection {
                let present = file.flatMap { FileIdentity(path: $0.path) }
                if connection.identity == present { return connection }
                state.connection = nil
                issues.append(
                    StorageIssue(.replaced, file: file, reason: present == nil ? "removed" : "replaced"))
            }
            // Opening locks the file, and a connection that is made now has missed the notification.
            if isSuspended { throw StorageError.suspended(operation) }
            do {
                let connection = try open(issues: &issues)
                state.connection = connection
                state.openings += 1
                return connection
            } catch let error as StorageError {
                throw error
            } catch let error as DatabaseError where error.isInterruptionError {
                throw StorageError.suspended(operation)
            } catch {
                throw StorageError.unavailable(operation, cause: error)
            }
        }
    }

    /// Leaves a connection that met damage, so that the next use opens, checks and sets aside.
    private func forget(_ connection: Connection) {
        state.withLock { state in
            if state.connection?.queue === connection.queue { state.connection = nil }
        }
    }

    func report(_ issue: StorageIssue) {
        found.withLock { $0.append(issue) }
        logger.error("\(issue)")
        options.onIssue?(issue)
    }

    /// What was written is safe already, so a checkpoint that fails is tried again when the log has grown some more.
    private func checkpointLargeLog(_ queue: DatabaseQueue) {
        guard let file, !isSuspended else { return }
        let size = FileIdentity.size(ofFileAt: file.path + "-wal")
        guard state.withLock({ size >= $0.logBytesToCheckpoint }) else { return }
        do {
            try queue.writeWithoutTransaction { database in _ = try database.checkpoint(.truncate) }
            state.withLock { $0.logBytesToCheckpoint = options.checkpointBytes }
        } catch {
            state.withLock { $0.logBytesToCheckpoint = size + options.checkpointBytes }
            logger.warning("cannot checkpoint \(name), it goes on with a log of \(size) bytes: \(error)")
        }
    }
}

extension DatabaseError {
    /// Whether the file itself is damaged, or is no database.
    var isCorruption: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }
}
