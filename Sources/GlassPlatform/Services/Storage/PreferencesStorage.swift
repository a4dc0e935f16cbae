import Foundation
import GlassBase
import GlassDeepLinking
public import GlassMarkets
public import GlassSchema

/// The preferences that the market declares, with types and defaults. No other keys can be used.
///
/// ```swift
/// let preferences: any PreferencesStorage = container.get()
/// try preferences.set(1003, for: "storeID")
/// let store = try preferences.value(Int.self, for: "storeID")
/// ```
///
/// A value that was stored while the market declared another type is accepted if it is the same in both types, such as
/// `3` and `3.0` of `integer` and `number`. Otherwise, the default is returned, and the value is reported as a
/// ``StorageIssue`` but stays stored, so that it is valid again after a rollback of the market. Setting or removing the
/// preference replaces it.
public protocol PreferencesStorage: AnyObject, Sendable {
    /// The suite, which separates the preferences of different markets.
    var suite: String { get }
    /// The declared preferences by key.
    var declared: [String: PreferencesConfiguration.Preference] { get }

    /// The value of a preference: the one that was set, or else the market's default.
    ///
    /// - Parameter key: A declared key.
    /// - Returns: The value, or `nil` if none is set and the market declares no default.
    /// - Throws: ``PreferencesError``.
    func value(for key: String) throws(PreferencesError) -> ConfigurationScalar?

    /// Sets a preference. When this returns, the value survives the end of the process.
    ///
    /// - Parameters:
    ///   - value: A value of the declared type; `nil` restores the default.
    ///   - key: A declared key.
    /// - Throws: ``PreferencesError``, in which case nothing changes.
    func set(_ value: ConfigurationScalar?, for key: String) throws(PreferencesError)

    /// Whether a preference is set to a value that is valid for its type.
    ///
    /// - Parameter key: A declared key.
    /// - Returns: `false` if the default applies.
    /// - Throws: ``PreferencesError``.
    func isSet(_ key: String) throws(PreferencesError) -> Bool

    /// The values that are set and removed from now on, by this process and others. The name of each change is the key.
    ///
    /// - Returns: The changes, for one reader.
    func changes() -> StorageChanges
}

/// The reason why a preference could not be read or set.
public enum PreferencesError: DescriptiveError {
    /// The market does not declare the key.
    case unknownKey(_ key: String, nearest: String?)
    /// The value does not have the declared type.
    case wrongType(key: String, expected: String, found: String)
    /// The storage failed.
    case storage(StorageError)

    /// The problem and how to fix it.
    public var description: String {
        switch self {
        case .unknownKey(let key, let nearest):
            "preferences: the market does not declare \(key.quotedForMessage); "
                + (nearest.map { "did you mean \"\($0)\"?" } ?? "add it to platform.preferences.keys")
        case .wrongType(let key, let expected, let found):
            "preferences: expected \(expected) for \(key), got \(found)"
        case .storage(let error): "preferences: \(error)"
        }
    }
}

extension PreferencesStorage {
    /// The current value of a preference, followed by its value after each change, by this process or another.
    ///
    /// - Parameter key: A declared key.
    /// - Returns: The values, for one reader. After several changes in a row, only the last value is returned. The
    ///   stream ends with the storage, or with the error of a failed read.
    public func values(for key: String) -> AsyncThrowingStream<ConfigurationScalar?, any Error> {
        let changes = changes().makeAsyncIterator()
        let isFirst = Lock(true)
        return AsyncThrowingStream(unfolding: { [weak self] in
            let waits = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return !isFirst
            }
            while waits {
                guard let change = await changes.next() else { return nil }
                if change.name == key { break }
            }
            guard let self else { return nil }
            return .some(try self.value(for: key))
        })
    }

    /// The script methods that read and set preferences.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("get", ["key"], "The value of a preference: the one that was set, or else the default.") {
                arguments in
                try self.value(for: try arguments.string(0, "key")).map { ScriptValue($0) } ?? .nil
            },
            ScriptMethod("set", ["key", "value"], "Sets a preference; nil restores the default.", keeps: true) {
                arguments in
                let key = try arguments.string(0, "key")
                try self.set(try preference(arguments[1], for: key), for: key)
                return .nil
            },
            ScriptMethod("isSet", ["key"], "Whether a preference is set.") { arguments in
                .boolean(try self.isSet(try arguments.string(0, "key")))
            },
            ScriptMethod("keys", [], "The declared keys.") { _ in
                .list(self.declared.keys.sorted().map { .string($0) })
            },
            ScriptMethod("type", ["key"], "The declared type of a preference, or nil.") { arguments in
                self.declared[try arguments.string(0, "key")].map { .string($0.type.rawValue) } ?? .nil
            },
            ScriptMethod("suite", [], "The suite of the preferences.") { _ in .string(self.suite) },
        ]
    }
}

/// Converts the argument of a script to a scalar.
private func preference(_ value: ScriptValue, for key: String) throws(PreferencesError) -> ConfigurationScalar? {
    if value == .nil { return nil }
    guard let scalar = value.scalar else {
        throw .wrongType(key: key, expected: "true or false, a number or a string", found: value.found)
    }
    return scalar
}
