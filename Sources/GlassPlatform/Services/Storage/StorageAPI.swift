public import GlassSchema

/// Values that outlive the process, by namespace and key.
public protocol StorageAPI: ScriptCallable {
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
    /// `StorageAPI`.
    public var scriptTypeName: String { "StorageAPI" }

    /// The keys of a namespace.
    public var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("keys", ["namespace"], "The keys of a namespace.") { arguments in
                .list(try self.keys(in: try arguments.string(0, "namespace")).map { .string($0) })
            }
        ]
    }
}
