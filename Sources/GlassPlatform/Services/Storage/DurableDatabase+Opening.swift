import Foundation
import GRDB
import GlassBase
import GlassDeepLinking

extension DurableDatabase {
    /// Opens, checks, and migrates the database. Only one process does so at a time.
    ///
    /// - Parameter issues: Receives the issues that are found.
    /// - Returns: The connection.
    /// - Throws: ``StorageError/newerSchema(file:unknown:)``, or an error of the system or SQLite.
    func open(issues: inout [StorageIssue]) throws -> Connection {
        guard let file else {
            let queue = try DatabaseQueue(configuration: configuration(readOnly: false))
            try migrator.migrate(queue)
            return Connection(queue: queue, identity: nil)
        }
        if let folder = options.stateFolder { try PrivateFolder.makeOrShare(folder) }
        try PrivateFolder.makeOrShare(file.deletingLastPathComponent())
        return try FileLock.hold(file.path + ".lock", timeout: options.busyTimeout) {
            // SQLite creates its log and its index with the mode of this file.
            try PrivateFile.makeWithCompanions(file.path)
            do {
                return try openChecked(file)
            } catch let damage as DatabaseDamage {
                issues.append(try setAside(file, because: damage.description))
            } catch let error as DatabaseError where error.isCorruption {
                issues.append(try setAside(file, because: error.message ?? "SQLite \(error.resultCode.rawValue)"))
            }
            try PrivateFile.makeWithCompanions(file.path)
            return try openChecked(file)
        }
    }

    private func openChecked(_ file: URL) throws -> Connection {
        var isChecked = false
        if FileIdentity.size(ofFileAt: file.path) > 0 {
            do {
                let reader = try DatabaseQueue(path: file.path, configuration: configuration(readOnly: true))
                defer { close(reader) }
                try reader.read(check)
                isChecked = true
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_READONLY || error.resultCode == .SQLITE_CANTOPEN
            {
                // A process was killed while creating the file, and only a writable connection can repair that.
            }
        }
        let queue = try DatabaseQueue(path: file.path, configuration: configuration(readOnly: false))
        do {
            if !isChecked { try queue.read(check) }
            try migrator.migrate(queue)
        } catch {
            close(queue)
            throw error
        }
        return Connection(queue: queue, identity: FileIdentity(path: file.path))
    }

    /// Reads the whole file once per opening, at about 1 ms per megabyte.
    private func check(_ database: Database) throws {
        let findings = try String.fetchAll(database, sql: "PRAGMA quick_check(3)")
        if findings != ["ok"] { throw DatabaseDamage(findings: findings) }
        let unknown = try migrator.appliedIdentifiers(database).subtracting(migrator.migrations)
        if !unknown.isEmpty {
            throw StorageError.newerSchema(file: file?.path ?? "the database", unknown: unknown.sorted())
        }
    }

    private func close(_ queue: DatabaseQueue) {
        // The connection has no unsaved data, and the relevant error is already being thrown.
        try? queue.close()  // see above
    }

    private func configuration(readOnly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.label = "glass.storage"
        configuration.readonly = readOnly
        configuration.busyMode = .timeout(options.busyTimeout / .seconds(1))
        let prepare = options.prepare
        let inMemory = file == nil
        // iOS terminates a process that is suspended while it holds a lock; see GRDB's "Sharing a Database". On other
        // systems, the notifications are never posted.
        configuration.observesSuspensionNotifications = !inMemory
        configuration.prepareDatabase { database in
            if !readOnly {
                // Not with `journalMode = .wal`, which sets `synchronous` to NORMAL after this closure.
                let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
                if !inMemory, mode != "wal" {
                    throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "no write-ahead log on this file system")
                }
                try database.execute(
                    sql: """
                        PRAGMA synchronous = FULL;
                        PRAGMA fullfsync = 1;
                        PRAGMA checkpoint_fullfsync = 1;
                        PRAGMA wal_autocheckpoint = 0;
                        """)
            }
            try prepare?(database)
        }
        return configuration
    }

    /// Renames a damaged file. The log is renamed first: without its database, SQLite would treat it as a leftover and
    /// remove it.
    private func setAside(_ file: URL, because reason: String) throws -> StorageIssue {
        let companions = ["-wal", "-shm", "-journal"]
        let target = CorruptFileName.path(for: file.path, at: options.now(), companions: companions)
        let manager = FileManager.default
        for suffix in companions + [""] where manager.fileExists(atPath: file.path + suffix) {
            try manager.moveItem(atPath: file.path + suffix, toPath: target + suffix)
        }
        return StorageIssue(.corrupt, file: file, setAside: URL(filePath: target), reason: reason)
    }
}

/// The findings of SQLite's check.
private struct DatabaseDamage: Error, CustomStringConvertible {
    let findings: [String]

    var description: String { findings.flatMap { $0.split(separator: "\n") }.joined(separator: "; ") }
}
