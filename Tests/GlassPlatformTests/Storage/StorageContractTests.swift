import Foundation
import GlassBase
import GlassContainer
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

/// Requirements for storage, live and mock alike.
struct StorageContractTests {
    private struct Session: Codable, Equatable {
        var token: String
        var scopes: [String]
    }

    private struct Refusal: Error, Equatable {}

    private func storage(_ kind: ServiceKind) -> any StorageAPI { kind.storageContainer().get() }

    @Test(arguments: ServiceKind.allCases)
    func everyTypeRoundTrips(kind: ServiceKind) throws {
        let storage = storage(kind)
        let session = Session(token: "é\u{1F6D2}", scopes: ["a", ""])
        try storage.set(session, for: StorageKey("n", "session"))
        try storage.set(Int.max, for: StorageKey("n", "integer"))
        try storage.set(0.1, for: StorageKey("n", "number"))
        try storage.set("", for: StorageKey("n", "text"))
        try storage.set(Data([0, 255]), for: StorageKey("n", "data"))
        #expect(try storage.value(for: StorageKey<Session>("n", "session")) == session)
        #expect(try storage.value(for: StorageKey<Int>("n", "integer")) == Int.max)
        #expect(try storage.value(for: StorageKey<Double>("n", "number")) == 0.1)
        #expect(try storage.value(for: StorageKey<String>("n", "text")) == "")
        #expect(try storage.value(for: StorageKey<Data>("n", "data")) == Data([0, 255]))
        #expect(try storage.value(for: StorageKey<String>("n", "none")) == nil)
        #expect(try storage.value(for: StorageKey<String>("other", "text")) == nil)
    }

    @Test func inMemoryStorageOpensOnFirstWrite() throws {
        let opened = Lock(0)
        var options = DurableDatabase.Options()
        options.prepare = { _ in opened.withLock { $0 += 1 } }
        let storage = StoragePlatformAPI(folder: nil, options: options, pollInterval: .zero)
        let key = StorageKey<Int>("n", "a")
        #expect(try storage.value(for: key) == nil)
        #expect(throws: StorageError.self) { try storage.value(for: StorageKey<Int>("n", "a\0")) }
        #expect(opened.withLock { $0 } == 0)
        try storage.set(1, for: key)
        #expect(try storage.value(for: key) == 1)
        #expect(opened.withLock { $0 } == 1)
        let unused = StoragePlatformAPI(folder: nil)
        unused.dispose()
        #expect(throws: StorageError.self) { try unused.value(for: key) }
    }

    @Test(arguments: ServiceKind.allCases)
    func keysAreListedInByteOrderUntilRemoved(kind: ServiceKind) throws {
        let storage = storage(kind)
        for name in ["b", "é", "a", "", "B"] { try storage.set(1, for: StorageKey("n", name)) }
        try storage.set(1, for: StorageKey("n2", "x"))
        #expect(try storage.keys(in: "n") == ["", "B", "a", "b", "é"])
        try storage.set(nil, for: StorageKey<Int>("n", "a"))
        try storage.set(nil, for: StorageKey<Int>("n", "never"))
        #expect(try storage.keys(in: "n") == ["", "B", "b", "é"])
        try storage.removeAll(in: "n")
        #expect(try storage.keys(in: "n") == [])
        #expect(try storage.keys(in: "n2") == ["x"])
    }

    @Test(arguments: ServiceKind.allCases)
    func readingAsOtherTypeIsErrorAndKeepsValue(kind: ServiceKind) throws {
        let storage = storage(kind)
        try storage.set("text", for: StorageKey("n", "a"))
        let error = #expect(throws: StorageError.self) { try storage.value(for: StorageKey<Int>("n", "a")) }
        #expect(
            error?.description
                == "storage: the value of \"n.a\" is not of type Int; read it with the type it was stored with, or remove it"
        )
        #expect(try storage.value(for: StorageKey<String>("n", "a")) == "text")
    }

    @Test(arguments: ServiceKind.allCases)
    func unencodableValueChangesNothing(kind: ServiceKind) throws {
        let storage = storage(kind)
        let key = StorageKey<Double>("n", "a")
        try storage.set(1, for: key)
        let error = #expect(throws: StorageError.self) { try storage.set(.infinity, for: key) }
        guard case .unavailable("encode n.a", let cause) = error else { Issue.record("\(error as Any)"); return }
        #expect(cause is EncodingError)
        #expect(try storage.value(for: key) == 1)
    }

    @Test(arguments: ServiceKind.allCases)
    func nameWithNullCharacterIsRejected(kind: ServiceKind) throws {
        let storage = storage(kind)
        let text = "storage: \"a\\u{0}b\" contains the character U+0000, which names must not contain"
        for key in [StorageKey<Int>("a\0b", "n"), StorageKey<Int>("n", "a\0b")] {
            let refusals = [
                #expect(throws: StorageError.self) { try storage.set(1, for: key) },
                #expect(throws: StorageError.self) { try storage.value(for: key) },
            ]
            #expect(refusals.map { $0?.description } == [text, text])
        }
        #expect(throws: StorageError.self) { try storage.keys(in: "a\0b") }
        #expect(try storage.keys(in: "n") == [])
    }

    @Test(arguments: ServiceKind.allCases)
    func transactionIsStoredCompletelyOrNotAtAll(kind: ServiceKind) throws {
        let storage = storage(kind)
        let (from, to) = (StorageKey<Int>("n", "from"), StorageKey<Int>("n", "to"))
        try storage.set(10, for: from)
        let left = try storage.transaction { transaction in
            let amount = try transaction.value(for: from) ?? 0
            try transaction.set(amount - 3, for: from)
            try transaction.set(3, for: to)
            #expect(try transaction.keys(in: "n") == ["from", "to"])
            return try transaction.value(for: from)
        }
        #expect(left == 7)
        #expect(throws: Refusal()) {
            try storage.transaction { transaction in
                try transaction.set(nil, for: from)
                try transaction.set(99, for: to)
                throw Refusal()
            }
        }
        #expect(try storage.value(for: from) == 7)
        #expect(try storage.value(for: to) == 3)
    }

    @Test(arguments: ServiceKind.allCases)
    func storageCallInsideTransactionIsErrorWithoutDeadlock(kind: ServiceKind) throws {
        let storage = storage(kind)
        let key = StorageKey<Int>("n", "a")
        let error = #expect(throws: StorageError.self) {
            try storage.transaction { transaction in
                try transaction.set(1, for: key)
                try storage.set(2, for: key)
            }
        }
        #expect(
            error?.description == "storage: cannot store n.a inside a transaction of the same storage; use the "
                + "transaction that is passed to the closure")
        #expect(try storage.value(for: key) == nil)
    }

    @Test(.timeLimit(.minutes(1)), arguments: ServiceKind.allCases)
    func concurrentTransactionsDoNotLoseUpdates(kind: ServiceKind) async throws {
        let storage = storage(kind)
        let key = StorageKey<Int>("n", "counter")
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<25 { try storage.transaction { try $0.set(($0.value(for: key) ?? 0) + 1, for: key) } }
                }
            }
            try await group.waitForAll()
        }
        #expect(try storage.value(for: key) == 200)
    }

    @Test(.timeLimit(.minutes(1)), arguments: ServiceKind.allCases)
    func changesOfNamespaceAreOrderedAndMerged(kind: ServiceKind) async throws {
        let storage = storage(kind)
        try storage.set(0, for: StorageKey("n", "before"))
        let changes = storage.changes(in: "n")
        for round in 0..<100 { try storage.set(round, for: StorageKey("n", "a")) }
        try storage.set(1, for: StorageKey("other", "x"))
        try storage.set(nil, for: StorageKey<Int>("n", "before"))
        try storage.set(nil, for: StorageKey<Int>("n", "never"))
        #expect(throws: Refusal.self) {
            try storage.transaction { transaction in
                try transaction.set(1, for: StorageKey("n", "taken back"))
                throw Refusal()
            }
        }
        try storage.set(1, for: StorageKey("n", "last"))
        var seen: [String] = []
        for await change in changes {
            seen.append((change.isRemoval ? "-" : "+") + change.name)
            #expect(!change.isExternal)
            if change.name == "last" { break }
        }
        #expect(seen == ["+a", "-before", "+last"])
    }

    @Test(.timeLimit(.minutes(1)), arguments: ServiceKind.allCases)
    func valuesStartWithCurrentOne(kind: ServiceKind) async throws {
        let storage = storage(kind)
        let key = StorageKey<String>("n", "a")
        var values = storage.values(for: key).makeAsyncIterator()
        #expect(try await values.next() == .some(nil))
        try storage.set("x", for: key)
        #expect(try await values.next() == "x")
        try storage.set(nil, for: key)
        #expect(try await values.next() == .some(nil))
        try storage.set(1, for: StorageKey<Int>("n", "a"))
        await #expect(throws: StorageError.self) { try await values.next() }
    }

    @Test(.timeLimit(.minutes(1)), arguments: ServiceKind.allCases)
    func cancelledReaderStopsWaiting(kind: ServiceKind) async throws {
        let storage = storage(kind)
        let changes = storage.changes(in: "n")
        let reader = Task { for await _ in changes {} }
        reader.cancel()
        await reader.value
    }

    @Test(arguments: ServiceKind.allCases)
    func issueReportedByServiceIsListed(kind: ServiceKind) throws {
        let storage = storage(kind)
        #expect(storage.issues.isEmpty)
        storage.report(StorageIssue(.typeChanged, file: nil, reason: "because"))
        #expect(storage.issues.map(\.description) == ["because"])
    }

    @Test(arguments: ServiceKind.allCases)
    func scriptStoresJSONValues(kind: ServiceKind) async throws {
        let storage = storage(kind)
        func call(_ name: String, _ arguments: ScriptValue...) async throws -> ScriptValue {
            let method = try #require(storage.scriptMethods.first { $0.name == name })
            return try await method(arguments)
        }
        let value: ScriptValue = ["list": [1, 2.5, "x", true], "map": ["a": nil]]
        #expect(try await call("set", "n", "a", value) == nil)
        #expect(try await call("get", "n", "a") == ["list": [1, 2.5, "x", true], "map": ["a": nil]])
        #expect(try await call("get", "n", "none") == nil)
        #expect(try await call("keys", "n") == ["a"])
        try storage.set(7, for: StorageKey("n", "seven"))
        #expect(try await call("get", "n", "seven") == 7)
        #expect(try await call("set", "n", "a", nil) == nil)
        #expect(try await call("keys", "n") == ["seven"])
        #expect(try await call("removeAll", "n") == nil)
        #expect(try await call("keys", "n") == [])
        #expect(try await call("issues") == [])
        await #expect(throws: StorageError.self) { try await call("set", "n", "a", .object(NoValue())) }
        await #expect(throws: ScriptArgumentError.self) { try await call("get", "n") }
    }
}

/// A value that scripts can hold but no storage can store.
private final class NoValue: ScriptCallable {
    let scriptTypeName = "NoValue"
    let scriptMethods: [ScriptMethod] = []
}
