import GlassBase
import GlassDeepLinking
package import GlassSchema

/// Values that outlive the process, by namespace and key.
///
/// ```swift
/// let token = StorageKey<String>("quimby", "token")
/// try storage.set("abc", for: token)
/// for await change in storage.changes(in: "quimby") where change.name == token.name { … }
/// ```
///
/// Calls are synchronous: a write returns once its value is on disk, which takes a fraction of a millisecond on an SSD
/// and several milliseconds on slow media.
public protocol StorageAPI: AnyObject, Sendable {
    /// The value of a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value, or `nil` if none is stored.
    /// - Throws: ``StorageError``. A stored value of another type is ``StorageError/wrongType(key:expected:)``.
    func value<Value>(for key: StorageKey<Value>) throws(StorageError) -> Value?

    /// Stores a value. When this returns, the value survives the end of the process.
    ///
    /// - Parameters:
    ///   - value: The value; `nil` removes it.
    ///   - key: The key.
    /// - Throws: ``StorageError``, in which case nothing changes.
    func set<Value>(_ value: Value?, for key: StorageKey<Value>) throws(StorageError)

    /// The keys of a namespace, in byte order.
    ///
    /// - Parameter namespace: The namespace.
    /// - Returns: The names of the keys with a value.
    /// - Throws: ``StorageError``.
    func keys(in namespace: String) throws(StorageError) -> [String]

    /// Reads and writes several values atomically: either all of them are stored, or none.
    ///
    /// Nothing else writes in the meantime, in this process or another, so the values that `body` has read are still
    /// current when it writes. Calling the storage itself inside `body` throws ``StorageError/insideTransaction(_:)``.
    ///
    /// - Parameter body: Reads and writes through the transaction. If it throws an error, nothing is stored.
    /// - Returns: The result of `body`, once it is on disk.
    /// - Throws: ``StorageError``, or the error of `body`.
    func transaction<Result>(_ body: (borrowing StorageTransaction) throws -> Result) throws -> Result

    /// The changes in a namespace from now on, by this process and others.
    ///
    /// Several unread changes of the same key are combined, so a slow reader gets only the last one. The sequence is
    /// for one reader, and ends with the storage.
    ///
    /// - Parameter namespace: The namespace.
    /// - Returns: The changes. This call reads the revisions of all keys: O(keys).
    func changes(in namespace: String) -> StorageChanges

    /// The issues of stored values, such as a damaged file that was renamed.
    var issues: [StorageIssue] { get }

    /// Adds an issue to ``issues``, writes it to the log, and passes it to the host's callback.
    ///
    /// - Parameter issue: The issue that a service found in its stored values.
    func report(_ issue: StorageIssue)
}

/// A key of a ``StorageAPI``, with the type of its value.
public struct StorageKey<Value: Codable & Sendable>: Sendable, Hashable {
    /// The namespace, which separates the keys of different features, such as `quimby`.
    public let namespace: String
    /// The name within the namespace.
    public let name: String

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - namespace: The namespace, which separates the keys of different features.
    ///   - name: The name within the namespace.
    public init(_ namespace: String, _ name: String) {
        self.namespace = namespace
        self.name = name
    }
}

extension StorageAPI {
    /// The current value of a key, followed by its value after each change, by this process or another.
    ///
    /// - Parameter key: The key.
    /// - Returns: The values, for one reader. After several changes in a row, only the last value is returned. The
    ///   stream ends with the storage, or with the error of a failed read.
    public func values<Value>(for key: StorageKey<Value>) -> AsyncThrowingStream<Value?, any Error> {
        let changes = changes(in: key.namespace).makeAsyncIterator()
        let isFirst = Lock(true)
        return AsyncThrowingStream(unfolding: { [weak self] in
            let waits = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return !isFirst
            }
            while waits {
                guard let change = await changes.next() else { return nil }
                if change.name == key.name { break }
            }
            guard let self else { return nil }
            return .some(try self.value(for: key))
        })
    }

    /// Removes all values of a namespace in one transaction.
    ///
    /// - Parameter namespace: The namespace.
    /// - Throws: ``StorageError``, in which case nothing changes.
    public func removeAll(in namespace: String) throws {
        try transaction { transaction in
            for name in try transaction.keys(in: namespace) {
                try transaction.set(nil, for: StorageKey<String>(namespace, name))
            }
        }
    }

    /// The script methods that read and write any value that JSON can represent.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("get", ["namespace", "name"], "The value of a key, or nil.") { arguments in
                try self.value(for: try scriptKey(arguments)) ?? .nil
            },
            ScriptMethod("set", ["namespace", "name", "value"], "Stores a value; nil removes it.", keeps: true) {
                arguments in
                let value: ScriptValue? = arguments[2] == .nil ? .none : arguments[2]
                try self.set(value, for: try scriptKey(arguments))
                return .nil
            },
            ScriptMethod("keys", ["namespace"], "The keys of a namespace.") { arguments in
                .list(try self.keys(in: try arguments.string(0, "namespace")).map { .string($0) })
            },
            ScriptMethod("removeAll", ["namespace"], "Removes all values of a namespace.") { arguments in
                try self.removeAll(in: try arguments.string(0, "namespace"))
                return .nil
            },
            ScriptMethod("issues", [], "The issues of stored values, such as a damaged file.") { _ in
                .list(self.issues.map { .string($0.description) })
            },
        ]
    }
}

private func scriptKey(_ arguments: ScriptArguments) throws -> StorageKey<ScriptValue> {
    StorageKey(try arguments.string(0, "namespace"), try arguments.string(1, "name"))
}
