import GlassBase
package import Foundation
package import GRDB
import GlassDeepLinking

/// A SQLite database whose commits survive a kill and a power failure, and which several processes can use at once.
///
/// It is opened on first use, and again after a failure, so that a folder that becomes writable works without a
/// restart. In addition to a plain connection, it has the following features:
///
/// - **Write-ahead log with `synchronous = FULL`.** A commit returns once the log is on disk. With the more common
///   `NORMAL`, the log is synced only at checkpoints: a kill would lose nothing, but a power failure would undo
///   acknowledged commits. On Apple systems, `fullfsync` makes the sync reach the storage medium.
/// - **A busy timeout.** It waits for a lock of another process, and then fails with `SQLITE_BUSY` as the cause.
/// - **Checkpoints under the write lock.** SQLite up to 3.51.2 can corrupt a file if a checkpoint coincides with the
///   end of another one and a commit (the "WAL-reset bug"). Automatic checkpoints run concurrently with commits, so
///   they are off. Instead, a write that leaves a large log makes a checkpoint in the mode that holds the write lock.
/// - **Preservation of damaged files.** A damaged file is renamed to `<name>.corrupt-<time>` and reported, and a new
///   one is started. The damaged file is never written to or removed.
/// - **Suspension.** Between GRDB's notifications, locks are released and none are taken, so that iOS does not
///   terminate a suspended process for holding a lock in an app group.
/// - **Rejection of newer files.** A file from a newer version is not changed.
///
/// The file is opened under a lock file, so that two processes do not create or rename the same file twice.
package final class DurableDatabase: Sendable {
    /// The options of a database.
    package struct Options: Sendable {
        /// The maximum time to wait for a lock of another process.
        package var busyTimeout: Duration = .seconds(5)
        /// The size of the log, in bytes, above which it is written to the database file.
        package var checkpointBytes = 4 * 1024 * 1024
        /// The clock for the names of damaged files. It does not determine any order.
        package var now: @Sendable () -> Date = { Date() }
        /// Receives each issue, outside any lock. Issues are always logged, too.
        package var onIssue: (@Sendable (StorageIssue) -> Void)?
        /// Determines whether files may be locked now; `nil` allows it always.
        package var suspension: StorageSuspension?
        /// The state folder, if the file is in a folder inside it. Both must belong to this user.
        package var stateFolder: URL?
        /// Prepares each new connection before its first use, for example with a quota in a test.
        package var prepare: (@Sendable (Database) throws -> Void)?

        /// Creates the default options.
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
        var isFailing = false
        var logBytesToCheckpoint: Int
    }

    /// The file; `nil` for a database in memory.
    package let file: URL?
    let migrator: DatabaseMigrator
    let options: Options
    private let state: Lock<State>
    private let found = Lock<[StorageIssue]>([])
    private let logger = SafeLogger(label: "glass.storage")

    /// The databases in whose reads or writes the current task is running.
    @TaskLocal private static var inside: Set<ObjectIdentifier> = []

    /// Creates a database. Opens nothing until the first use.
    package init(file: URL?, migrator: DatabaseMigrator, options: Options = Options()) {
        self.file = file
        self.migrator = migrator
        self.options = options
        state = Lock(State(logBytesToCheckpoint: options.checkpointBytes))
    }

    /// The issues of the file since this object was created, in order.
    package var issues: [StorageIssue] { found.withLock { $0 } }

    /// The number of times that the file was opened. Values of SQLite's `data_version` can be compared only within one
    /// opening.
    package var openings: Int { state.withLock { $0.openings } }

    /// Whether the database is certainly empty: it is in memory, and has not been opened. Opening it to find out would
    /// take a quarter of a market's first load.
    package var isNew: Bool { file == nil && state.withLock { $0.connection == nil && !$0.isClosed } }

    /// Reads a consistent state: what was committed when the read began.
    package func read<Result>(_ operation: String, _ body: (Database) throws -> Result) throws -> Result {
        try access(operation) { queue in
            try queue.read { database in try Self.$inside.withValue(entered) { try body(database) } }
        }
    }

    /// Writes in one transaction. When this returns, the data survives a kill and a power failure.
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
        let connection: Connection
        do { connection = try self.connection(for: operation) } catch { throw logged(error) }
        let result: Result
        do {
            result = try body(connection.queue)
        } catch let error as DatabaseError {
            // Only a suspension interrupts a connection; a canceled task has its own error.
            if error.isInterruptionError { throw StorageError.suspended(operation) }
            if error.isCorruption { forget(connection) }
            throw logged(StorageError.unavailable(operation, cause: error.naming(file)))
        }
        state.withLock { $0.isFailing = false }
        return result
    }

    /// The open connection, or a new one if there is none or if the file was moved or replaced.
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
            // Opening locks the file, and a connection that is created now has missed the notification.
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
                throw StorageError.unavailable(operation, cause: (error as? DatabaseError)?.naming(file) ?? error)
            }
        }
    }

    /// The error, of which the first of several in a row is logged if it says that the file cannot be used.
    private func logged(_ error: any Error) -> any Error {
        switch error as? StorageError {
        case .unavailable, .newerSchema: break
        default: return error
        }
        let isFirst = state.withLock { state in
            defer { state.isFailing = true }
            return !state.isFailing
        }
        if isFirst { logger.error("\(error)") }
        return error
    }

    /// Discards a connection that encountered damage, so that the next use opens the file, checks it, and renames it.
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

    /// The written data is already safe, so a failed checkpoint is retried only when the log has grown further.
    private func checkpointLargeLog(_ queue: DatabaseQueue) {
        guard let file, !isSuspended else { return }
        let size = FileIdentity.size(ofFileAt: file.path + "-wal")
        guard state.withLock({ size >= $0.logBytesToCheckpoint }) else { return }
        do {
            try queue.writeWithoutTransaction { database in _ = try database.checkpoint(.truncate) }
            state.withLock { $0.logBytesToCheckpoint = options.checkpointBytes }
        } catch {
            state.withLock { $0.logBytesToCheckpoint = size + options.checkpointBytes }
            logger.warning("cannot checkpoint \(name), which continues with a log of \(size) bytes: \(error)")
        }
    }
}

extension DatabaseError {
    /// Whether the file is damaged or is not a database.
    var isCorruption: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }

    /// The same error with the path of the file, which SQLite's messages lack.
    fileprivate func naming(_ file: URL?) -> DatabaseError {
        guard let file else { return self }
        return DatabaseError(
            resultCode: extendedResultCode, message: "\(message ?? "no message"): \(file.path)", sql: sql)
    }
}
