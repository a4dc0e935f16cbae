import Foundation
import GRDB
@testable import GlassPlatform
import Testing

/// How a database is opened, verified by reading its state from SQLite.
struct DurableDatabaseTests {
    let folder: StateFolder

    init() throws {
        folder = try StateFolder()
    }

    private func migrator(_ versions: Int) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for version in 1...versions {
            migrator.registerMigration("\(version)") { try $0.execute(sql: "CREATE TABLE t\(version) (value TEXT)") }
        }
        return migrator
    }

    private func database(
        versions: Int = 1, _ change: (inout DurableDatabase.Options) -> Void = { _ in }
    ) -> DurableDatabase {
        var options = DurableDatabase.Options()
        change(&options)
        return DurableDatabase(
            file: folder.url.appending(path: "a/b/test.sqlite"), migrator: migrator(versions), options: options)
    }

    @Test func everyCommitIsSyncedToTheLog() throws {
        let values = try database().read("read") { database in
            try ["journal_mode", "synchronous", "fullfsync", "checkpoint_fullfsync", "wal_autocheckpoint"].map {
                try String.fetchOne(database, sql: "PRAGMA \($0)")
            }
        }
        #expect(values == ["wal", "2", "1", "1", "0"])
    }

    @Test func fileIsOpenedOnFirstUse() throws {
        let database = database()
        #expect(try folder.names() == [])
        #expect(database.openings == 0)
        try database.write("write") { try $0.execute(sql: "INSERT INTO t1 VALUES ('x')") }
        #expect(try folder.names() == ["a"])
        #expect(database.openings == 1)
    }

    @Test func largeLogIsCheckpointed() throws {
        let database = database { $0.checkpointBytes = 32 * 1024 }
        let log = folder.url.appending(path: "a/b/test.sqlite-wal").path
        var largest = 0
        for _ in 0..<40 {
            try database.write("write") { database in
                try database.execute(sql: "INSERT INTO t1 VALUES (?)", arguments: [String(repeating: "x", count: 4000)])
            }
            let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int ?? 0
            largest = max(largest, size)
        }
        #expect(largest > 0 && largest < 40 * 1024)
        #expect(try database.read("count") { try Int.fetchOne($0, sql: "SELECT count(*) FROM t1") } == 40)
    }

    @Test func olderFileIsMigratedWithValues() throws {
        let old = database(versions: 1)
        try old.write("write") { try $0.execute(sql: "INSERT INTO t1 VALUES ('kept')") }
        old.close()
        let new = database(versions: 3)
        #expect(try new.read("read") { try String.fetchOne($0, sql: "SELECT value FROM t1") } == "kept")
        #expect(try new.read("read") { try Int.fetchOne($0, sql: "SELECT count(*) FROM t3") } == 0)
        new.close()
        let error = #expect(throws: StorageError.self) { try database(versions: 2).read("read") { _ in } }
        #expect(error.map { "\($0)" }?.contains("test.sqlite was written by a newer version (it has 3)") == true)
    }

    @Test func failedMigrationLeavesFileUnchanged() throws {
        let old = database(versions: 1)
        try old.write("write") { try $0.execute(sql: "INSERT INTO t1 VALUES ('kept')") }
        old.close()
        var broken = migrator(1)
        broken.registerMigration("2") { database in
            try database.execute(sql: "DELETE FROM t1")
            try database.execute(sql: "CREATE TABLE t1 (again)")
        }
        let file = folder.url.appending(path: "a/b/test.sqlite")
        let new = DurableDatabase(file: file, migrator: broken)
        let error = #expect(throws: StorageError.self) { try new.read("read") { _ in } }
        #expect(error?.code == .SQLITE_ERROR)
        #expect(new.issues.isEmpty)
        #expect(try database().read("read") { try String.fetchOne($0, sql: "SELECT value FROM t1") } == "kept")
    }

    @Test func errorOfBodyIsRethrownAndRolledBack() throws {
        struct Refusal: Error {}
        let database = database()
        #expect(throws: Refusal.self) {
            try database.write("write") { connection in
                try connection.execute(sql: "INSERT INTO t1 VALUES ('x')")
                throw Refusal()
            }
        }
        #expect(try database.read("count") { try Int.fetchOne($0, sql: "SELECT count(*) FROM t1") } == 0)
        let error = #expect(throws: StorageError.self) {
            try database.write("write") { _ in try database.read("look") { _ in } }
        }
        #expect(
            error?.description == "storage: cannot look inside a transaction of the same storage; use the transaction "
                + "that is passed to the closure")
    }

    @Test func corruptFileIsSetAsideWithItsLog() throws {
        let file = folder.url.appending(path: "a/b/test.sqlite")
        try database().write("write") { try $0.execute(sql: "INSERT INTO t1 VALUES ('x')") }
        try Data("damage".utf8).write(to: file)
        try Data("log".utf8).write(to: URL(filePath: file.path + "-wal"))
        let database = database { $0.now = { Date(timeIntervalSince1970: 0) } }
        try database.read("read") { _ in }
        let aside = file.path + ".corrupt-19700101T000000Z"
        #expect(try Data(contentsOf: URL(filePath: aside)) == Data("damage".utf8))
        #expect(try Data(contentsOf: URL(filePath: aside + "-wal")) == Data("log".utf8))
    }

    @Test func emptyFileAfterKillIsUsed() throws {
        let file = folder.url.appending(path: "a/b/test.sqlite")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: file)
        let database = database()
        try database.write("write") { try $0.execute(sql: "INSERT INTO t1 VALUES ('x')") }
        #expect(database.issues.isEmpty)
    }

    @Test func inMemoryDatabaseLeavesNoFiles() throws {
        let database = DurableDatabase(file: nil, migrator: migrator(1))
        try database.write("write") { try $0.execute(sql: "INSERT INTO t1 VALUES ('x')") }
        #expect(try database.read("count") { try Int.fetchOne($0, sql: "SELECT count(*) FROM t1") } == 1)
        #expect(try folder.names() == [])
    }
}
