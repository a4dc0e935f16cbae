import Foundation
import GRDB

/// The versions of the storage file.
enum StorageSchema {
    /// A later version adds a migration and leaves the existing ones unchanged. A file with a migration that is not
    /// registered here comes from a newer version and is rejected.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 entries") { database in
            try database.execute(
                sql: """
                    CREATE TABLE entry (
                        namespace TEXT NOT NULL,
                        name TEXT NOT NULL,
                        value BLOB NOT NULL,
                        PRIMARY KEY (namespace, name)
                    ) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("2 revisions") { database in
            // A number per transaction, counted in the file. It orders the writes of several processes, regardless of
            // their clocks.
            try database.execute(
                sql: """
                    CREATE TABLE revision (last INTEGER NOT NULL);
                    INSERT INTO revision VALUES (0);
                    ALTER TABLE entry ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
                    """)
        }
        return migrator
    }
}

/// The entries of the file during a transaction.
final class SQLiteEntries: StorageEntries {
    private let database: Database
    private var revision: Int64?
    private var written: [StorageEntry: Int64?] = [:]

    init(_ database: Database) {
        self.database = database
    }

    func data(of entry: StorageEntry) throws -> Data? {
        let statement = try database.cachedStatement(sql: "SELECT value FROM entry WHERE namespace = ? AND name = ?")
        return try Data.fetchOne(statement, arguments: [entry.namespace, entry.name])
    }

    func store(_ data: Data?, in entry: StorageEntry) throws {
        guard let data else {
            let statement = try database.cachedStatement(sql: "DELETE FROM entry WHERE namespace = ? AND name = ?")
            try statement.execute(arguments: [entry.namespace, entry.name])
            if database.changesCount > 0 { written[entry] = .some(nil) }
            return
        }
        let revision = try nextRevision()
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO entry (namespace, name, value, revision) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET value = excluded.value, revision = excluded.revision
                """)
        try statement.execute(arguments: [entry.namespace, entry.name, data, revision])
        written[entry] = revision
    }

    func names(in namespace: String) throws -> [String] {
        let statement = try database.cachedStatement(sql: "SELECT name FROM entry WHERE namespace = ? ORDER BY name")
        return try String.fetchAll(statement, arguments: [namespace])
    }

    /// The total size of the used pages in bytes. O(1).
    func byteCount() throws -> Int {
        let used = try Int.fetchOne(
            database, sql: "SELECT page_count - freelist_count FROM pragma_page_count, pragma_freelist_count")
        return (used ?? 0) * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
    }

    /// The written entries with their revisions; the revision of a removed entry is `nil`.
    func finish() throws -> [(entry: StorageEntry, revision: Int64?)] {
        written.sorted { ($0.key.namespace, $0.key.name) < ($1.key.namespace, $1.key.name) }
            .map { (entry: $0.key, revision: $0.value) }
    }

    private func nextRevision() throws -> Int64 {
        if let revision { return revision }
        try database.execute(sql: "UPDATE revision SET last = last + 1")
        let next = try Int64.fetchOne(database, sql: "SELECT last FROM revision") ?? 0
        revision = next
        return next
    }
}

/// The known revisions of the file, to detect changes by other processes.
struct StorageWatch: Sendable {
    /// The task that checks repeatedly while changes are being read.
    var poll: Task<Void, Never>?
    private var revisions: [StorageEntry: Int64]?
    private var version: Int64?
    private var opening: Int?

    /// Compares the file with the known revisions.
    mutating func catchUp(with database: Database, opening: Int) throws -> [StorageChange] {
        let version = try Int64.fetchOne(database, sql: "PRAGMA data_version")
        // A `data_version` is meaningful only on its connection; a file that was replaced has a new connection.
        if version == self.version, opening == self.opening, revisions != nil { return [] }
        var present: [StorageEntry: Int64] = [:]
        let rows = try Row.fetchCursor(database, sql: "SELECT namespace, name, revision FROM entry")
        while let row = try rows.next() { present[StorageEntry(namespace: row[0], name: row[1])] = row[2] }
        defer {
            revisions = present
            self.version = version
            self.opening = opening
        }
        guard let known = revisions else { return [] }
        let stored = present.filter { known[$0.key] != $0.value }
            .sorted { ($0.value, $0.key.namespace, $0.key.name) < ($1.value, $1.key.namespace, $1.key.name) }
            .map { StorageChange($0.key, isRemoval: false, isExternal: true) }
        let removed = known.keys.filter { present[$0] == nil }
            .sorted { ($0.namespace, $0.name) < ($1.namespace, $1.name) }
            .map { StorageChange($0, isRemoval: true, isExternal: true) }
        return removed + stored
    }

    /// Records the commits of this process, so that they are not reported as changes by others.
    mutating func note(_ written: [(entry: StorageEntry, revision: Int64?)]) {
        guard revisions != nil else { return }
        for (entry, revision) in written { revisions?[entry] = revision }
    }
}
