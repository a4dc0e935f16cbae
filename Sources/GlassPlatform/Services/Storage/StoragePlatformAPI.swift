import GlassBase
public import Foundation
import GRDB
public import GlassContainer
import GlassDeepLinking

/// A storage in one SQLite file that the app and its extensions share; see `DurableDatabase` for its durability.
///
/// While ``changes(in:)`` is being read, commits of other processes are detected with SQLite's `data_version`: at each
/// write of this process, and otherwise every ``StorageHost/pollInterval``. File-system events would not suffice: with
/// a write-ahead log, a commit may change only the memory-mapped index and the log, and a commit of this process looks
/// the same. The order of changes is that of the transactions, and does not depend on a clock.
public final class StoragePlatformAPI: StorageAPI, Disposable {
    private let database: DurableDatabase
    private let hub = StorageChangeHub()
    private let watch: Lock<StorageWatch>
    private let pollInterval: Duration
    private let maximumBytes: Int

    /// Creates a storage in the location of a container's host, in a factory of the container; elsewhere, in the
    /// system's standard location for the program, in the folder for data that belongs to no market.
    ///
    /// A container without a host uses the system's standard location, too, in a folder with the app's bundle
    /// identifier. Pass `nil` as the folder to keep the values in memory. In a preview and in a test with the
    /// `.container` trait, they are in memory.
    public convenience init() {
        let host = LateContainer.building.host
        self.init(folder: host.stateFolder, host: host.storage)
    }

    /// Creates a storage. The file is opened on first use, and again after a failure.
    ///
    /// - Parameters:
    ///   - folder: The folder of the file, created if necessary; `nil` keeps the values in memory.
    ///   - host: The program's settings.
    public convenience init(folder: URL?, host: StorageHost = StorageHost()) {
        var options = DurableDatabase.Options()
        options.busyTimeout = host.busyTimeout
        options.onIssue = host.onIssue
        options.suspension = host.suspension
        self.init(folder: folder, options: options, pollInterval: host.pollInterval, maximumBytes: host.maximumBytes)
    }

    /// Creates a storage with settings for tests.
    package init(
        folder: URL?, options: DurableDatabase.Options, pollInterval: Duration,
        maximumBytes: Int = StorageHost().maximumBytes
    ) {
        database = DurableDatabase(
            file: folder.map(Self.file(in:)), migrator: StorageSchema.migrator, options: options)
        self.pollInterval = pollInterval
        self.maximumBytes = maximumBytes
        watch = Lock(StorageWatch())
    }

    deinit { stopPolling() }

    /// The file of the storage in a state folder.
    package static func file(in folder: URL) -> URL { folder.appending(path: "storage.sqlite") }

    /// The issues of stored values since this object was created.
    public var issues: [StorageIssue] { database.issues }

    /// Adds an issue to ``issues``, writes it to the log, and passes it to the host's callback.
    ///
    /// - Parameter issue: The issue that a service found in its stored values.
    public func report(_ issue: StorageIssue) { database.report(issue) }

    /// The value of a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value, or `nil` if none is stored.
    /// - Throws: ``StorageError``.
    public func value<Value>(for key: StorageKey<Value>) throws(StorageError) -> Value? {
        try mapped("read \(StorageEntry(key).path)") { operation in
            try StorageEntry(key).checked { _ in
                if database.isNew { return nil }
                return try database.read(operation) { try StorageTransaction(SQLiteEntries($0)).value(for: key) }
            }
        }
    }

    /// Stores a value. When this returns, the value survives a kill and a power failure.
    ///
    /// - Parameters:
    ///   - value: The value; `nil` removes it.
    ///   - key: The key.
    /// - Throws: ``StorageError``, in which case nothing changes.
    public func set<Value>(_ value: Value?, for key: StorageKey<Value>) throws(StorageError) {
        try mapped("store \(StorageEntry(key).path)") { operation in
            try write(operation) { try $0.set(value, for: key) }
        }
    }

    /// The keys of a namespace, in byte order.
    ///
    /// - Parameter namespace: The namespace.
    /// - Returns: The names of the keys with a value. O(keys of the namespace).
    /// - Throws: ``StorageError``.
    public func keys(in namespace: String) throws(StorageError) -> [String] {
        try mapped("list the keys of \(namespace)") { operation in
            try database.read(operation) { try StorageTransaction(SQLiteEntries($0)).keys(in: namespace) }
        }
    }

    /// Reads and writes several values in one SQLite transaction, which takes the write lock when it starts.
    ///
    /// - Parameter body: Reads and writes through the transaction.
    /// - Returns: The result of `body`, once it is on disk.
    /// - Throws: ``StorageError``, or the error of `body`. In both cases, nothing changes.
    public func transaction<Result>(_ body: (borrowing StorageTransaction) throws -> Result) throws -> Result {
        try write("store in a transaction", body)
    }

    /// The changes in a namespace from now on, by this process and others.
    ///
    /// - Parameter namespace: The namespace.
    /// - Returns: The changes, for one reader.
    public func changes(in namespace: String) -> StorageChanges {
        let changes = hub.changes(in: namespace)
        lookForExternalChanges()
        startPolling()
        return changes
    }

    /// Closes the file and ends the change streams. Every later use throws ``StorageError/closed(_:)``.
    public func dispose() {
        hub.finish()
        stopPolling()
        database.close()
    }

    private func write<Result>(
        _ operation: String, _ body: (borrowing StorageTransaction) throws -> Result
    ) throws -> Result {
        try database.write(operation) { database in
            // Do this first, so that readers get the commits of others before this one.
            if hub.hasReaders { hub.send(try catchUp(with: database)) }
            let entries = SQLiteEntries(database)
            let result = try body(StorageTransaction(entries))
            let written = try entries.finish()
            guard !written.isEmpty else { return result }
            // Removing values must always be possible, because it frees space, even if an earlier limit allowed the
            // file to grow.
            if written.contains(where: { $0.revision != nil }), try entries.byteCount() > maximumBytes {
                throw StorageError.full(operation, limit: maximumBytes)
            }
            database.afterNextTransaction { [hub, watch] _ in
                watch.withLock { $0.note(written) }
                hub.send(written.map { StorageChange($0.entry, isRemoval: $0.revision == nil) })
            }
            return result
        }
    }

    /// Keeps the error type, if no closure of a caller is involved.
    private func mapped<Result>(
        _ operation: String, _ body: (String) throws -> Result
    ) throws(StorageError) -> Result {
        do {
            return try body(operation)
        } catch let error as StorageError {
            throw error
        } catch {
            throw .unavailable(operation, cause: error)
        }
    }

    private func lookForExternalChanges() {
        do {
            try database.read("look for changes") { hub.send(try catchUp(with: $0)) }
        } catch {
            // Reads and writes of values get the same error; here, only the next check can help.
        }
    }

    private func catchUp(with connection: Database) throws -> [StorageChange] {
        try watch.withLock { try $0.catchUp(with: connection, opening: database.openings) }
    }

    private func startPolling() {
        guard database.file != nil else { return }
        watch.withLock { watch in
            guard watch.poll == nil else { return }
            // Detached: a task that started inside a transaction would inherit this fact, and its reads would fail.
            watch.poll = Task.detached { [weak self, pollInterval] in
                repeat {
                    do { try await Task.sleep(for: pollInterval) } catch { return }
                } while self?.pollOnce() == true
            }
        }
    }

    private func pollOnce() -> Bool {
        let goesOn = watch.withLock { watch in
            if hub.hasReaders { return true }
            watch = StorageWatch()
            return false
        }
        if goesOn { lookForExternalChanges() }
        return goesOn
    }

    private func stopPolling() {
        watch.withLock { watch in
            watch.poll?.cancel()
            watch.poll = nil
        }
    }
}

extension StorageChange {
    init(_ entry: StorageEntry, isRemoval: Bool, isExternal: Bool = false) {
        self.init(namespace: entry.namespace, name: entry.name, isRemoval: isRemoval, isExternal: isExternal)
    }
}
