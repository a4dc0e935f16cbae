import Foundation
import GlassDeepLinking
public import GlassPlatform

/// Keeps values in memory.
public final class StorageAPIMock: StorageAPI {
    private struct Entry: Hashable {
        let namespace: String
        let name: String
    }

    private let stored = Lock<[Entry: Data]>([:])

    /// Creates an empty storage.
    public init() {}

    /// The value of a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value, or nil when none is stored.
    /// - Throws: ``GlassPlatform/StorageError/wrongType(key:expected:)``.
    public func value<Value>(for key: StorageKey<Value>) throws(StorageError) -> Value? {
        guard let data = stored.withLock({ $0[Entry(namespace: key.namespace, name: key.name)] }) else { return nil }
        do {
            return try JSONDecoder().decode(Value.self, from: data)
        } catch {
            throw .wrongType(key: "\(key.namespace).\(key.name)", expected: "\(Value.self)")
        }
    }

    /// Stores a value.
    ///
    /// - Parameters:
    ///   - value: The value; nil removes it.
    ///   - key: The key.
    /// - Throws: ``GlassPlatform/StorageError/unavailable(_:cause:)`` when the value cannot be encoded.
    public func set<Value>(_ value: Value?, for key: StorageKey<Value>) throws(StorageError) {
        do {
            let data = try value.map { try JSONEncoder().encode($0) }
            stored.withLock { $0[Entry(namespace: key.namespace, name: key.name)] = data }
        } catch {
            throw .unavailable("encode \(key.namespace).\(key.name)", cause: error)
        }
    }

    /// The keys of a namespace, in byte order.
    ///
    /// - Parameter namespace: The namespace.
    /// - Returns: The names of the keys with a value.
    public func keys(in namespace: String) -> [String] {
        stored.withLock { $0.keys.filter { $0.namespace == namespace }.map(\.name).sorted() }
    }
}
