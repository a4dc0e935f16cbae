import Foundation
import GRDB
@testable import GlassPlatform
import Testing

/// One file with several processes and several storages.
struct StorageSharingTests {
    let folder: StateFolder

    init() throws {
        folder = try StateFolder()
    }

    private func storage() -> StoragePlatformAPI {
        StoragePlatformAPI(folder: folder.url, options: DurableDatabase.Options(), pollInterval: .milliseconds(5))
    }

    @Test(.timeLimit(.minutes(2))) func twoProcessesWriteAndThirdSeesEachStepOnce() async throws {
        let storage = storage()
        let counter = StorageKey<Int>("writer", "counter")
        var seen: [Int] = []
        let values = storage.values(for: counter)
        let writers = try (0..<2).map { _ in try StorageWriter.start(["count", folder.url.path, "40"]) }
        for _ in 0..<20 {
            try storage.transaction { try $0.set(($0.value(for: counter) ?? 0) + 1, for: counter) }
        }
        for try await value in values {
            if let value { seen.append(value) }
            if value == 100 { break }
        }
        let ends = try await onOwnThread {
            writers.map { writer in
                writer.waitUntilExit()
                return writer.terminationStatus
            }
        }
        #expect(ends == [0, 0])
        #expect(seen == seen.sorted() && seen.last == 100)
        #expect(try storage.value(for: counter) == 100)
        storage.dispose()
        let queue = try DatabaseQueue(path: StoragePlatformAPI.file(in: folder.url).path)
        #expect(try await queue.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
    }

    @Test(.timeLimit(.minutes(1))) func externalChangesAreSeenInOrderOfCommits() async throws {
        let (reader, writer) = (storage(), storage())
        try writer.set("old", for: StorageKey("other", "gone"))
        let changes = reader.changes(in: "other")
        for name in ["c", "a", "b"] { try writer.set(1, for: StorageKey("other", name)) }
        try writer.set(1, for: StorageKey("elsewhere", "x"))
        try writer.set(nil, for: StorageKey<String>("other", "gone"))
        try reader.set(2, for: StorageKey("other", "own"))
        var seen: [StorageChange] = []
        for await change in changes {
            seen.append(change)
            if change.name == "own" { break }
        }
        // Changes that were not observed as they happened arrive as one step: removals, then the rest by revision.
        #expect(Set(seen.map(\.name)) == ["gone", "c", "a", "b", "own"])
        #expect(seen.filter { !$0.isRemoval }.map(\.name) == ["c", "a", "b", "own"])
        #expect(seen.allSatisfy { $0.isExternal == ($0.name != "own") })
        #expect(seen.filter(\.isRemoval).map(\.name) == ["gone"])
    }

    @Test(.timeLimit(.minutes(1))) func waitingReaderIsNotifiedOfExternalCommit() async throws {
        let (reader, writer) = (storage(), storage())
        let changes = reader.changes(in: "n").makeAsyncIterator()
        async let change = changes.next()
        try writer.set(true, for: StorageKey("n", "flag"))
        #expect(await change == StorageChange(namespace: "n", name: "flag", isExternal: true))
        #expect(try reader.value(for: StorageKey<Bool>("n", "flag")) == true)
    }

    @Test(.timeLimit(.minutes(1))) func concurrentStoragesCreateOneFile() async throws {
        let counter = StorageKey<Int>("n", "counter")
        try await withThrowingTaskGroup { group in
            for _ in 0..<6 {
                group.addTask {
                    let storage = self.storage()
                    for _ in 0..<5 {
                        try storage.transaction { try $0.set(($0.value(for: counter) ?? 0) + 1, for: counter) }
                    }
                    storage.dispose()
                }
            }
            try await group.waitForAll()
        }
        #expect(try storage().value(for: counter) == 30)
        #expect(try folder.setAside() == [])
    }

    @Test(.timeLimit(.minutes(1))) func unreferencedStorageIsFreedAndEndsStreams() async throws {
        weak var gone: StoragePlatformAPI?
        let changes: StorageChanges
        do {
            let storage = storage()
            gone = storage
            changes = storage.changes(in: "n")
            try storage.set(1, for: StorageKey("n", "a"))
        }
        var names: [String] = []
        for await change in changes { names.append(change.name) }
        #expect(names == ["a"])
        #expect(gone == nil)
    }

    @Test(.timeLimit(.minutes(1))) func fileReplacedWhileOpenIsReopened() throws {
        let (first, second) = (storage(), storage())
        let key = StorageKey<Int>("n", "a")
        try first.set(1, for: key)
        #expect(try second.value(for: key) == 1)
        second.dispose()
        for name in try folder.names() { try FileManager.default.removeItem(at: folder.url.appending(path: name)) }
        #expect(try first.value(for: key) == nil)
        #expect(first.issues.map(\.kind) == [.replaced])
        #expect(
            first.issues.first?.description.hasSuffix(
                "was removed while it was open; the file that is there now is used") == true)
        try first.set(2, for: key)
        #expect(try storage().value(for: key) == 2)
    }
}
