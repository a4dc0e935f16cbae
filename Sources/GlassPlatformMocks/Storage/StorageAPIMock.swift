import GlassBase
import Foundation
import GlassDeepLinking
package import GlassPlatform

/// Stores values in memory. A transaction holds a lock, and calling the mock inside a transaction throws, as in the
/// live storage.
package final class StorageAPIMock: StorageAPI {
    private let stored = Lock<[StorageEntry: Data]>([:])
    private let found = Lock<[StorageIssue]>([])
    private let hub = StorageChangeHub()

    @TaskLocal private static var inside: Set<ObjectIdentifier> = []

    /// Creates an empty storage.
    package init() {}

    /// The reported issues.
    package var issues: [StorageIssue] { found.withLock { $0 } }

    /// Adds an issue to ``issues``.
    package func report(_ issue: StorageIssue) { found.withLock { $0.append(issue) } }

    /// The value of a key.
    package func value<Value>(for key: StorageKey<Value>) throws(StorageError) -> Value? {
        let operation = "read \(key.namespace).\(key.name)"
        return try mapped(operation) { try write(operation) { try $0.value(for: key) } }
    }

    /// Stores a value.
    package func set<Value>(_ value: Value?, for key: StorageKey<Value>) throws(StorageError) {
        let operation = "store \(key.namespace).\(key.name)"
        try mapped(operation) { try write(operation) { try $0.set(value, for: key) } }
    }

    /// The keys of a namespace, in byte order.
    package func keys(in namespace: String) throws(StorageError) -> [String] {
        let operation = "list the keys of \(namespace)"
        return try mapped(operation) { try write(operation) { try $0.keys(in: namespace) } }
    }

    /// Reads and writes several values atomically.
    package func transaction<Result>(_ body: (borrowing StorageTransaction) throws -> Result) throws -> Result {
        try write("store in a transaction", body)
    }

    /// The changes in a namespace from now on.
    package func changes(in namespace: String) -> StorageChanges { hub.changes(in: namespace) }

    private func write<Result>(
        _ operation: String, _ body: (borrowing StorageTransaction) throws -> Result
    ) throws -> Result {
        let id = ObjectIdentifier(self)
        guard !Self.inside.contains(id) else { throw StorageError.insideTransaction(operation) }
        return try stored.withLock { stored in
            let entries = MemoryEntries(stored)
            let result = try Self.$inside.withValue(Self.inside.union([id])) {
                try body(StorageTransaction(entries))
            }
            stored = entries.stored
            hub.send(entries.written)
            return result
        }
    }

    private func mapped<Result>(_ operation: String, _ body: () throws -> Result) throws(StorageError) -> Result {
        do {
            return try body()
        } catch let error as StorageError {
            throw error
        } catch {
            throw .unavailable(operation, cause: error)
        }
    }
}

/// The values during a transaction.
private final class MemoryEntries: StorageEntries {
    private(set) var stored: [StorageEntry: Data]
    private(set) var written: [StorageChange] = []

    init(_ stored: [StorageEntry: Data]) {
        self.stored = stored
    }

    func data(of entry: StorageEntry) -> Data? { stored[entry] }

    func store(_ data: Data?, in entry: StorageEntry) {
        if data == nil, stored[entry] == nil { return }
        stored[entry] = data
        written.removeAll { $0.namespace == entry.namespace && $0.name == entry.name }
        written.append(StorageChange(namespace: entry.namespace, name: entry.name, isRemoval: data == nil))
    }

    func names(in namespace: String) -> [String] {
        stored.keys.filter { $0.namespace == namespace }.map(\.name).sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
    }
}
