package import Foundation

/// Reads and writes inside ``StorageAPI/transaction(_:)``. It cannot leave the closure.
public struct StorageTransaction: ~Copyable {
    private let entries: any StorageEntries

    /// Creates a transaction for entries.
    package init(_ entries: any StorageEntries) {
        self.entries = entries
    }

    /// The value of a key, including changes by this transaction.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value, or `nil` if none is stored.
    /// - Throws: ``StorageError``.
    public func value<Value>(for key: StorageKey<Value>) throws -> Value? {
        try StorageEntry(key).checked { try entries.data(of: $0).map { try key.decode($0) } }
    }

    /// Stores a value when the transaction succeeds.
    ///
    /// - Parameters:
    ///   - value: The value; `nil` removes it.
    ///   - key: The key.
    /// - Throws: ``StorageError``.
    public func set<Value>(_ value: Value?, for key: StorageKey<Value>) throws {
        let data = try value.map { try key.encode($0) }
        try StorageEntry(key).checked { try entries.store(data, in: $0) }
    }

    /// The keys of a namespace, in byte order, including changes by this transaction.
    ///
    /// - Parameter namespace: The namespace.
    /// - Returns: The names of the keys with a value.
    /// - Throws: ``StorageError``.
    public func keys(in namespace: String) throws -> [String] {
        try StorageEntry(namespace: namespace, name: "").checked { try entries.names(in: $0.namespace) }
    }
}

/// The values that a transaction reads and writes, in their stored form.
package protocol StorageEntries {
    /// The stored form of a value.
    func data(of entry: StorageEntry) throws -> Data?
    /// Stores a value, or removes it.
    func store(_ data: Data?, in entry: StorageEntry) throws
    /// The names in a namespace, in byte order.
    func names(in namespace: String) throws -> [String]
}

/// A key without its type.
package struct StorageEntry: Hashable, Sendable {
    /// The namespace.
    package let namespace: String
    /// The name within the namespace.
    package let name: String

    /// Creates an entry.
    package init(namespace: String, name: String) {
        self.namespace = namespace
        self.name = name
    }

    /// Creates the entry of a typed key.
    package init<Value>(_ key: StorageKey<Value>) {
        self.init(namespace: key.namespace, name: key.name)
    }

    /// The entry in error messages, such as `quimby.token`.
    var path: String { "\(namespace).\(name)" }

    /// Runs `body` with the entry, unless the name contains U+0000, at which SQLite would truncate it.
    func checked<Result>(_ body: (StorageEntry) throws -> Result) throws -> Result {
        for text in [namespace, name] where text.utf8.contains(0) { throw StorageError.invalidName(text) }
        return try body(self)
    }
}

extension StorageKey {
    /// Decodes the stored form of a value.
    fileprivate func decode(_ data: Data) throws(StorageError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: data)
        } catch {
            throw .wrongType(key: StorageEntry(self).path, expected: "\(Value.self)")
        }
    }

    /// Encodes a value in its stored form.
    fileprivate func encode(_ value: Value) throws(StorageError) -> Data {
        do {
            return try JSONEncoder().encode(value)
        } catch {
            throw .unavailable("encode \(StorageEntry(self).path)", cause: error)
        }
    }
}
