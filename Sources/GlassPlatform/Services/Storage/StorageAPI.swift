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
/// Calls are synchronous: a write returns when its value is on the disk, which is a fraction of a millisecond on an
/// SSD and several on a slow medium.
public protocol StorageAPI: AnyObject, Sendable {
    /// The value of a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value, or nil when none is stored.
    /// - Throws: ``StorageError``; a stored value of another type is ``StorageError/wrongType(key:expected:)``.
    func value<Value>(for key: StorageKey<Value>) throws(StorageError) -> Value?

    /// Stores a value; when this returns, the value survives the end of the process.
    ///
    /// - Parameters:
    ///   - value: The value; nil removes it.
    ///   - key: The key.
    /// - Throws: ``StorageError``; nothing has changed then.
    func set<Value>(_ value: Value?, for key: StorageKey<Value>) throws(StorageError)

    /// The keys of a namespace, in byte order.
    ///
    /// - Parameter namespace: The namespace.
    /// - Returns: The names of the keys with a value.
    /// - Throws: ``StorageError``.
    func keys(in namespace: String) throws(StorageError) -> [String]

    /// Reads and writes several values as one: all of it is stored, or nothing.
    ///
    /// Nobody else writes meanwhile, in this process or another, so what `body` read is still so when it writes. The
    /// storage itself must not be asked inside; that is ``StorageError/insideTransaction(_:)``.
    ///
    /// - Parameter body: Reads and writes through the transaction; an error that it throws takes everything back.
    /// - Returns: What `body` returns, when it is on the disk.
    /// - Throws: ``StorageError``; what `body` throws, as it is.
    func transaction<Result>(_ body: (borrowing StorageTransaction) throws -> Result) throws -> Result

    /// What changes in a namespace from now on, by this process and by others.
    ///
    /// Several changes of one key that nobody has asked for yet become one: a slow reader sees the last. The sequence
    /// is for one reader and ends with the storage.
    ///
    /// - Parameter namespace: The namespace.
    /// - Returns: The changes. Asking reads the revisions of all keys: O(keys).
    func changes(in namespace: String) -> StorageChanges

    /// What happened to stored values that somebody should know of, such as a damaged file that was set aside.
    var issues: [StorageIssue] { get }

    /// Adds to ``issues``, the log, and whatever the host does with issues.
    ///
    /// - Parameter issue: What a service found in its stored values.
    func report(_ issue: StorageIssue)
}

/// A key of a ``StorageAPI`` and the type of its value.
public struct StorageKey<Value: Codable & Sendable>: Sendable, Hashable {
    /// Keeps the keys of one feature apart from those of others, such as `quimby`.
    public let namespace: String
    /// The name within the namespace.
    public let name: String

    /// Names a key.
    ///
    /// - Parameters:
    ///   - namespace: Keeps the keys of one feature apart from those of others.
    ///   - name: The name within the namespace.
    public init(_ namespace: String, _ name: String) {
        self.namespace = namespace
        self.name = name
    }
}

extension StorageAPI {
    /// The value of a key now, and again after each change of it, by this process or another.
    ///
    /// - Parameter key: The key.
    /// - Returns: The values, for one reader; of several changes in a row the last. It ends with the storage, and with
    ///   the error of a read that failed.
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

    /// Removes every value of a namespace, as one change.
    ///
    /// - Parameter namespace: The namespace.
    /// - Throws: ``StorageError``; nothing has changed then.
    public func removeAll(in namespace: String) throws {
        try transaction { transaction in
            for name in try transaction.keys(in: namespace) {
                try transaction.set(nil, for: StorageKey<String>(namespace, name))
            }
        }
    }

    /// Reading and writing any value that JSON can say.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("get", ["namespace", "name"], "The value of a key, or nil.") { arguments in
                try self.value(for: try scriptKey(arguments))?.value ?? .nil
            },
            ScriptMethod("set", ["namespace", "name", "value"], "Stores a value; nil removes it.", keeps: true) {
                arguments in
                let stored: ScriptStoredValue? =
                    if case .nil = arguments[2] { nil } else { ScriptStoredValue(arguments[2]) }
                try self.set(stored, for: try scriptKey(arguments))
                return .nil
            },
            ScriptMethod("keys", ["namespace"], "The keys of a namespace.") { arguments in
                .list(try self.keys(in: try arguments.string(0, "namespace")).map { .string($0) })
            },
            ScriptMethod("removeAll", ["namespace"], "Removes every value of a namespace.") { arguments in
                try self.removeAll(in: try arguments.string(0, "namespace"))
                return .nil
            },
            ScriptMethod("issues", [], "What happened to stored values, such as a damaged file.") { _ in
                .list(self.issues.map { .string($0.description) })
            },
        ]
    }
}

private func scriptKey(_ arguments: ScriptArguments) throws -> StorageKey<ScriptStoredValue> {
    StorageKey(try arguments.string(0, "namespace"), try arguments.string(1, "name"))
}
