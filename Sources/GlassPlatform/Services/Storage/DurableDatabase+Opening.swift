import Foundation
import GRDB
import GlassBase
import GlassDeepLinking

extension DurableDatabase {
    /// Opens, checks and migrates the database; one process at a time.
    ///
    /// - Parameter issues: Gets what was found.
    /// - Returns: The connection.
    /// - Throws: ``StorageError/newerSchema(file:unknown:)``; what the system or SQLite reports.
    func open(issues: inout [StorageIssue]) throws -> Connection {
        guard let file else {
            let queue = try DatabaseQueue(configuration: configuration(readOnly: false))
            try migrator.migrate(queue)
            return Connection(queue: queue, identity: nil)
        }
        try PrivateFolder.makeOrShare(file.deletingLastPathComponent())
        return try FileLock.hold(file.path + ".lock", timeout: options.busyTimeout) {
            // SQLite gives its log and its index the mode of the file.
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
                // A process died while it made the file: only a connection that may write can repair that.
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

    /// The whole file is read once per opening: about 1 ms per megabyte.
    private func check(_ database: Database) throws {
        let findings = try String.fetchAll(database, sql: "PRAGMA quick_check(3)")
        if findings != ["ok"] { throw DatabaseDamage(findings: findings) }
        let unknown = try migrator.appliedIdentifiers(database).subtracting(migrator.migrations)
        if !unknown.isEmpty {
            throw StorageError.newerSchema(file: file?.lastPathComponent ?? "the database", unknown: unknown.sorted())
        }
    }

    private func close(_ queue: DatabaseQueue) {
        // The connection has nothing unsaved, and the error that matters is on its way.
        try? queue.close()  // see above
    }

    private func configuration(readOnly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.label = "glass.storage"
        configuration.readonly = readOnly
        configuration.busyMode = .timeout(options.busyTimeout / .seconds(1))
        let prepare = options.prepare
        let inMemory = file == nil
        // iOS ends a process that is suspended while it holds a lock; see GRDB's "Sharing a Database". Elsewhere nobody
        // posts the notifications.
        configuration.observesSuspensionNotifications = !inMemory
        configuration.prepareDatabase { database in
            if !readOnly {
                // Not by `journalMode = .wal`: that sets `synchronous` to NORMAL after this closure.
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

    /// Renames a damaged file. The log goes first: without the file it would be taken for a leftover and removed.
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

/// What SQLite's check found in a file.
private struct DatabaseDamage: Error, CustomStringConvertible {
    let findings: [String]

    var description: String { findings.flatMap { $0.split(separator: "\n") }.joined(separator: "; ") }
}
