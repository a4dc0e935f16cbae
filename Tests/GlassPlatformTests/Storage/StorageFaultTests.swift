import GlassBase
import Foundation
import GRDB
import GlassContainer
import GlassDeepLinking
@testable import GlassPlatform
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Faults of disks, other processes and clocks: no acknowledged write is lost, and the error has its cause.
struct StorageFaultTests {
    private func key(_ number: Int) -> StorageKey<String> { StorageKey("n", "key\(number)") }
    private let text = String(repeating: "x", count: 3000)

    /// Stores texts until the storage rejects one.
    private func fill(_ storage: StoragePlatformAPI) -> (stored: Int, error: StorageError?) {
        var stored = 0
        do throws(StorageError) {
            while stored < 10_000 {
                try storage.set(text, for: key(stored))
                stored += 1
            }
            return (stored, nil)
        } catch {
            return (stored, error)
        }
    }

    private func storage(
        _ folder: StateFolder, busyTimeout: Duration = .seconds(5),
        _ change: (inout DurableDatabase.Options) -> Void = { _ in }
    ) -> StoragePlatformAPI {
        var options = DurableDatabase.Options()
        options.busyTimeout = busyTimeout
        change(&options)
        return StoragePlatformAPI(folder: folder.url, options: options, pollInterval: .seconds(60))
    }

    @Test(.enabled(if: SmallDisk.isPermitted, "mounting requires root"), .timeLimit(.minutes(1)))
    func fullDiskIsErrorAndKeepsEverything() throws {
        let disk = try SmallDisk(kilobytes: 768)
        let storage = storage(disk.folder) { $0.checkpointBytes = 64 * 1024 }
        try storage.set(text, for: key(0))
        let (stored, error) = fill(storage)
        #expect(stored > 20)
        #expect(error?.code == .SQLITE_FULL || error?.code == .SQLITE_IOERR, "\(error as Any)")
        #expect(error?.description.hasPrefix("storage: cannot store n.key\(stored): ") == true)
        for number in 0..<stored { #expect(try storage.value(for: key(number)) == text) }
        #expect(try storage.keys(in: "n").count == stored)
        #expect(storage.issues.isEmpty)
        storage.dispose()
        // Reopened on the full disk, either nothing is missing, or the error explains why it cannot be opened.
        let again = self.storage(disk.folder)
        do {
            #expect(try again.keys(in: "n").count == stored)
        } catch {
            #expect(error.code != nil, "\(error)")
        }
        #expect(again.issues.isEmpty)
    }

    @Test(.enabled(if: SmallDisk.isPermitted, "mounting requires root"), .timeLimit(.minutes(1)))
    func freedSpaceIsReused() throws {
        let disk = try SmallDisk(kilobytes: 512)
        let storage = storage(disk.folder)
        try storage.set("before", for: key(0))
        let startup = StartupPreferencePlatformAPI(folder: disk.folder.url)
        try startup.setMarket("ca")
        try disk.fill()
        let error = #expect(throws: StorageError.self) {
            for number in 1..<100 { try storage.set(text, for: key(number)) }
        }
        #expect(error?.code == .SQLITE_FULL || error?.code == .SQLITE_IOERR, "\(error as Any)")
        let startupError = #expect(throws: StorageError.self) { try startup.setMarket("mx") }
        #expect(startupError?.systemCode == ENOSPC)
        #expect(startup.market == "ca")
        #expect(try !disk.folder.names().contains { $0.hasSuffix(".new") })
        #expect(try storage.value(for: key(0)) == "before")
        try disk.free()
        try storage.set("after", for: key(0))
        try startup.setMarket("mx")
        storage.dispose()
        #expect(try self.storage(disk.folder).value(for: key(0)) == "after")
        #expect(try StartupPreferencePlatformAPI.read(in: disk.folder.url).market == "mx")
    }

    /// The same without mounting a disk: SQLite's own quota gives the same error.
    @Test func reachedQuotaIsErrorAndKeepsEverything() throws {
        let folder = try StateFolder()
        let storage = storage(folder) { options in
            options.prepare = { try $0.execute(sql: "PRAGMA max_page_count = 40") }
        }
        let (stored, error) = fill(storage)
        #expect(stored > 10)
        let path = StoragePlatformAPI.file(in: folder.url).path
        #expect(
            error?.description
                == "storage: cannot store n.key\(stored): database or disk is full: \(path) (SQLite 13); free some "
                + "space, then try again")
        storage.dispose()
        let again = self.storage(folder)
        #expect(try again.keys(in: "n").count == stored)
        try again.set(text, for: key(stored))
    }

    /// Unbounded writes, such as a script's, reach the storage's own limit before the disk is full.
    @Test(arguments: [true, false])
    func valuesBeyondLimitAreRejectedUntilOthersAreRemoved(inMemory: Bool) throws {
        let folder = try StateFolder()
        var host = StorageHost()
        host.maximumBytes = 256 * 1024
        let storage = StoragePlatformAPI(folder: inMemory ? nil : folder.url, host: host)
        defer { storage.dispose() }
        let (stored, error) = fill(storage)
        #expect(stored > 10)
        #expect(
            error?.description
                == "storage: cannot store n.key\(stored): the values would exceed 262144 bytes; "
                + "remove some first")
        #expect(try storage.keys(in: "n").count == stored)
        for number in 0..<5 { try storage.set(nil, for: key(number)) }
        try storage.set(text, for: key(stored))
    }

    @Test(.enabled(if: SmallDisk.isPermitted, "mounting requires root"))
    func readOnlyFolderIsErrorUntilWritable() throws {
        let disk = try SmallDisk(kilobytes: 512)
        let first = storage(disk.folder)
        try first.set("kept", for: key(0))
        first.dispose()
        let startup = StartupPreferencePlatformAPI(folder: disk.folder.url)
        try startup.recordLaunch(version: "1.0")
        try disk.setReadOnly(true)
        let second = storage(disk.folder)
        let error = #expect(throws: StorageError.self) { try second.set("new", for: key(0)) }
        #expect(error?.systemCode == EROFS)
        #expect(
            error?.description
                == "storage: cannot store n.key0: cannot open \(disk.folder.url.path)/storage.sqlite.lock: "
                + "Read-only file system (30)")
        let startupError = #expect(throws: StorageError.self) { try startup.recordLaunch(version: "2.0") }
        #expect(startupError?.systemCode == EROFS)
        #expect(try StartupPreferencePlatformAPI.read(in: disk.folder.url).lastVersion == "1.0")
        try disk.setReadOnly(false)
        #expect(try second.value(for: key(0)) == "kept")
        try second.set("new", for: key(0))
        #expect(second.issues.isEmpty)
    }

    @Test func fileInsteadOfFolderIsErrorUntilReplaced() throws {
        let parent = try StateFolder()
        let place = parent.url.appending(path: "state")
        try Data("mine".utf8).write(to: place)
        let storage = StoragePlatformAPI(folder: place)
        let error = #expect(throws: StorageError.self) { try storage.set(1, for: StorageKey("n", "a")) }
        guard case .unavailable("store n.a", let cause) = error else { Issue.record("\(error as Any)"); return }
        #expect("\(cause)" == "cannot open \(place.path): Not a directory (20)")
        #expect(throws: StorageError.self) { try StartupPreferencePlatformAPI(folder: place).setMarket("ca") }
        #expect(try Data(contentsOf: place) == Data("mine".utf8))
        try FileManager.default.removeItem(at: place)
        try storage.set(1, for: StorageKey("n", "a"))
        #expect(try storage.value(for: StorageKey<Int>("n", "a")) == 1)
    }

    /// The way in which a file is corrupted.
    enum Damage: String, CaseIterable, CustomTestStringConvertible {
        case garbage, damagedHeader, damagedPages, cutShort
        var testDescription: String { rawValue }

        func apply(to content: Data) -> Data {
            var content = content
            switch self {
            case .garbage: return Data("this was never a database".utf8)
            case .damagedHeader: content.replaceSubrange(0..<64, with: Data(repeating: 0xAB, count: 64))
            case .damagedPages:
                content.replaceSubrange(8192..<24_576, with: Data(repeating: 0xFF, count: 16_384))
            case .cutShort: content = content.prefix(content.count / 2 / 4096 * 4096)
            }
            return content
        }
    }

    @Test(arguments: Damage.allCases)
    func corruptFileIsSetAsideAndReported(damage: Damage) throws {
        let folder = try StateFolder()
        let first = storage(folder)
        for number in 0..<40 { try first.set(text, for: key(number)) }
        first.dispose()
        let file = StoragePlatformAPI.file(in: folder.url)
        let damaged = damage.apply(to: try Data(contentsOf: file))
        try damaged.write(to: file)

        let told = Lock<[StorageIssue]>([])
        let second = storage(folder) { options in
            options.now = { Date(timeIntervalSince1970: 1_800_000_000) }
            options.onIssue = { issue in told.withLock { $0.append(issue) } }
        }
        #expect(try second.value(for: key(0)) == nil)
        try second.set("new", for: key(0))
        #expect(second.issues.map(\.kind) == [.corrupt])
        #expect(told.withLock { $0.map(\.description) } == second.issues.map(\.description))
        let issue = try #require(second.issues.first)
        #expect(issue.setAside?.lastPathComponent == "storage.sqlite.corrupt-20270115T080000Z")
        #expect(issue.description.hasPrefix("\(file.path) is damaged ("))
        #expect(
            issue.description.hasSuffix(
                "); it was renamed to storage.sqlite.corrupt-20270115T080000Z, and a new one was started"))
        #expect(try Data(contentsOf: #require(issue.setAside)) == damaged)
        second.dispose()
        let third = storage(folder)
        #expect(try third.value(for: key(0)) == "new")
        #expect(third.issues.isEmpty)
    }

    @Test func repeatedCorruptionOverwritesNothing() throws {
        let folder = try StateFolder()
        let file = StoragePlatformAPI.file(in: folder.url)
        for (number, seconds) in [2_000_000_000.0, 1_000_000_000, 2_000_000_000, 2_000_000_000].enumerated() {
            try Data("damage \(number)".utf8).write(to: file)
            let storage = storage(folder) { $0.now = { Date(timeIntervalSince1970: seconds) } }
            try storage.set(number, for: StorageKey("n", "a"))
            storage.dispose()
        }
        let contents = try folder.setAside().map { name in
            String(decoding: try Data(contentsOf: folder.url.appending(path: name)), as: UTF8.self)
        }
        #expect(
            try folder.setAside().map { $0.dropFirst("storage.sqlite.corrupt-".count) } == [
                "20010909T014640Z", "20330518T033320Z", "20330518T033320Z-2", "20330518T033320Z-3",
            ])
        #expect(contents == ["damage 1", "damage 0", "damage 2", "damage 3"])
    }

    @Test func corruptionWhileOpenIsErrorThenSetAside() throws {
        let folder = try StateFolder()
        let file = StoragePlatformAPI.file(in: folder.url)
        let first = storage(folder)
        for number in 0..<200 { try first.set(text, for: key(number)) }
        first.dispose()
        let storage = storage(folder)
        #expect(try storage.value(for: key(0)) == text)
        // In another process, because closing the file here would drop the locks that SQLite holds.
        let damager = Process()
        damager.executableURL = URL(filePath: "/bin/sh")
        damager.arguments = [
            "-c", "dd if=/dev/zero of='\(file.path)' bs=4096 seek=3 count=100 conv=notrunc 2>/dev/null",
        ]
        try damager.run()
        damager.waitUntilExit()
        let error = #expect(throws: StorageError.self) { try storage.keys(in: "n") }
        #expect(error?.code == .SQLITE_CORRUPT)
        #expect(
            error?.description
                == "storage: cannot list the keys of n: database disk image is malformed: \(file.path) (SQLite 11); the "
                + "next use renames the file and starts a new one")
        #expect(try storage.keys(in: "n") == [])
        #expect(storage.issues.map(\.kind) == [.corrupt])
        #expect(try folder.setAside().count == 1)
    }

    @Test(.timeLimit(.minutes(1))) func lockedFileIsErrorAfterTimeoutAndUsableAgain() throws {
        let folder = try StateFolder()
        let storage = storage(folder, busyTimeout: .milliseconds(30))
        try storage.set("before", for: key(0))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let path = StoragePlatformAPI.file(in: folder.url).path
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try other.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        let error = #expect(throws: StorageError.self) { try storage.set("during", for: key(0)) }
        #expect(
            error?.description
                == "storage: cannot store n.key0: database is locked: \(path) (SQLite 5); another process is using "
                + "the file, try again")
        #expect(error?.code == .SQLITE_BUSY)
        // With a write-ahead log, reads continue.
        #expect(try storage.value(for: key(0)) == "before")
        try other.inDatabase { try $0.execute(sql: "COMMIT") }
        try storage.set("after", for: key(0))
        #expect(try storage.value(for: key(0)) == "after")
    }

    @Test(.timeLimit(.minutes(1))) func permanentlyLockedFileCannotBeOpenedUntilFree() throws {
        let folder = try StateFolder()
        let first = storage(folder)
        try first.set("before", for: key(0))
        first.dispose()
        let other = try DatabaseQueue(path: StoragePlatformAPI.file(in: folder.url).path)
        try other.inDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT") }
        let storage = storage(folder, busyTimeout: .milliseconds(30))
        let error = #expect(throws: StorageError.self) { try storage.value(for: key(0)) }
        #expect(error?.code == .SQLITE_BUSY)
        try other.close()
        #expect(try storage.value(for: key(0)) == "before")
        #expect(storage.issues.isEmpty)
    }

    @Test func fileOfNewerVersionIsRejectedAndKept() throws {
        let folder = try StateFolder()
        let file = StoragePlatformAPI.file(in: folder.url)
        let first = storage(folder)
        try first.set("kept", for: key(0))
        first.dispose()
        let queue = try DatabaseQueue(path: file.path)
        try queue.inDatabase { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9 sharding')") }
        try queue.close()
        let before = try Data(contentsOf: file)
        let storage = storage(folder)
        for _ in 0..<2 {
            let error = #expect(throws: StorageError.self) { try storage.set("new", for: key(0)) }
            #expect(
                error?.description
                    == "storage: \(file.path) was written by a newer version (it has 9 sharding) and was "
                    + "not changed; update the app, or give it another state folder")
        }
        #expect(try Data(contentsOf: file) == before)
        #expect(try folder.setAside() == [])
        #expect(storage.issues.isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func useAfterShutdownIsReported() async throws {
        let container = ServiceKind.live.storageContainer()
        let storage: any StorageAPI = container.get()
        try storage.set(1, for: StorageKey("n", "a"))
        let changes = storage.changes(in: "n")
        await container.shutdown()
        let error = #expect(throws: StorageError.self) { try storage.set(1, for: StorageKey("n", "a")) }
        #expect(error?.description == "storage: cannot store n.a: the storage was shut down with its container")
        for await _ in changes { Issue.record("a change after the end") }
        for await _ in storage.changes(in: "n") { Issue.record("a change in a closed storage") }
    }
}
