package import Foundation

/// Reads and writes inside ``StorageAPI/transaction(_:)``; it cannot leave the closure.
public struct StorageTransaction: ~Copyable {
    private let entries: any StorageEntries

    /// Wraps what is read and written.
    package init(_ entries: any StorageEntries) {
        self.entries = entries
    }

    /// The value of a key, with what this transaction has written.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value, or nil when none is stored.
    /// - Throws: ``StorageError``.
    public func value<Value>(for key: StorageKey<Value>) throws -> Value? {
        try StorageEntry(key).checked { try entries.data(of: $0).map { try key.decode($0) } }
    }

    /// Stores a value when the transaction ends well.
    ///
    /// - Parameters:
    ///   - value: The value; nil removes it.
    ///   - key: The key.
    /// - Throws: ``StorageError``.
    public func set<Value>(_ value: Value?, for key: StorageKey<Value>) throws {
        let data = try value.map { try key.encode($0) }
        try StorageEntry(key).checked { try entries.store(data, in: $0) }
    }

    /// The keys of a namespace, in byte order, with what this transaction has written.
    ///
    /// - Parameter namespace: The namespace.
    /// - Returns: The names of the keys with a value.
    /// - Throws: ``StorageError``.
    public func keys(in namespace: String) throws -> [String] {
        try StorageEntry(namespace: namespace, name: "").checked { try entries.names(in: $0.namespace) }
    }
}

/// What a transaction reads and writes: values in their stored form.
package protocol StorageEntries {
    /// The stored form of a value.
    func data(of entry: StorageEntry) throws -> Data?
    /// Stores or removes.
    func store(_ data: Data?, in entry: StorageEntry) throws
    /// The names of a namespace, in byte order.
    func names(in namespace: String) throws -> [String]
}

/// A key without its type.
package struct StorageEntry: Hashable, Sendable {
    /// The namespace.
    package let namespace: String
    /// The name within it.
    package let name: String

    /// Names an entry.
    package init(namespace: String, name: String) {
        self.namespace = namespace
        self.name = name
    }

    /// A typed key's entry.
    package init<Value>(_ key: StorageKey<Value>) {
        self.init(namespace: key.namespace, name: key.name)
    }

    /// `quimby.token`, as errors show it.
    var path: String { "\(namespace).\(name)" }

    /// Runs `body` with the entry, unless SQLite would cut its name short at a U+0000.
    func checked<Result>(_ body: (StorageEntry) throws -> Result) throws -> Result {
        for text in [namespace, name] where text.utf8.contains(0) { throw StorageError.invalidName(text) }
        return try body(self)
    }
}

extension StorageKey {
    /// Reads a stored form.
    fileprivate func decode(_ data: Data) throws(StorageError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: data)
        } catch {
            throw .wrongType(key: StorageEntry(self).path, expected: "\(Value.self)")
        }
    }

    /// Makes a stored form.
    fileprivate func encode(_ value: Value) throws(StorageError) -> Data {
        do {
            return try JSONEncoder().encode(value)
        } catch {
            throw .unavailable("encode \(StorageEntry(self).path)", cause: error)
        }
    }
}
