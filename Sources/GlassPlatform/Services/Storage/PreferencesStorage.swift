import Foundation
import GlassBase
import GlassDeepLinking
public import GlassMarkets
public import GlassSchema

/// The preferences that the market declares: typed, with defaults, and nothing else.
///
/// ```swift
/// let preferences: any PreferencesStorage = container.get()
/// try preferences.set(1003, for: "storeID")
/// let store = try preferences.value(Int.self, for: "storeID")
/// ```
///
/// A value that was stored while the market declared another type is taken when it is the same in both: `3` and `3.0`
/// of `integer` and `number`. Otherwise the default is read and the value reported as a ``StorageIssue`` and left
/// stored, so that it is back when the market goes back; setting or removing the preference replaces it.
public protocol PreferencesStorage: AnyObject, Sendable {
    /// The suite that keeps the preferences of one market apart from those of another.
    var suite: String { get }
    /// The declared preferences by key.
    var declared: [String: PreferencesConfiguration.Preference] { get }

    /// The value of a preference: what somebody set, else the market's default.
    ///
    /// - Parameter key: A declared key.
    /// - Returns: The value; nil when none is set and the market gives no default.
    /// - Throws: ``PreferencesError``.
    func value(for key: String) throws(PreferencesError) -> ConfigurationScalar?

    /// Sets a preference; when this returns, the value survives the end of the process.
    ///
    /// - Parameters:
    ///   - value: A value of the declared type; nil goes back to the default.
    ///   - key: A declared key.
    /// - Throws: ``PreferencesError``; nothing has changed then.
    func set(_ value: ConfigurationScalar?, for key: String) throws(PreferencesError)

    /// Whether somebody set a preference, to a value that fits its type.
    ///
    /// - Parameter key: A declared key.
    /// - Returns: False when the default holds.
    /// - Throws: ``PreferencesError``.
    func isSet(_ key: String) throws(PreferencesError) -> Bool

    /// What is set and removed from now on, by this process and by others; each change's name is the key.
    ///
    /// - Returns: The changes, for one reader.
    func changes() -> StorageChanges
}

/// Why a preference was neither read nor set.
public enum PreferencesError: DescriptiveError {
    /// The market does not declare the key.
    case unknownKey(_ key: String, nearest: String?)
    /// The value is not of the declared type.
    case wrongType(key: String, expected: String, found: String)
    /// The storage failed; the cause says why.
    case storage(StorageError)

    /// What failed and what to do.
    public var description: String {
        switch self {
        case .unknownKey(let key, let nearest):
            "preferences: the market declares no \(key.quotedForMessage); "
                + (nearest.map { "did you mean \"\($0)\"?" } ?? "add it to platform.preferences.keys")
        case .wrongType(let key, let expected, let found):
            "preferences: expected \(expected) for \(key), got \(found)"
        case .storage(let error): "preferences: \(error)"
        }
    }
}

extension PreferencesStorage {
    /// The value of a preference now, and again after each change, by this process or another.
    ///
    /// - Parameter key: A declared key.
    /// - Returns: The values, for one reader; of several changes in a row the last. It ends with the storage, and with
    ///   the error of a read that failed.
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

    /// Reading and setting preferences.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("get", ["key"], "The value of a preference: what was set, else the default.") { arguments in
                try self.value(for: try arguments.string(0, "key")).map { ScriptValue($0.configurationValue) } ?? .nil
            },
            ScriptMethod("set", ["key", "value"], "Sets a preference; nil goes back to the default.", keeps: true) {
                arguments in
                let key = try arguments.string(0, "key")
                try self.set(try preference(arguments[1], for: key), for: key)
                return .nil
            },
            ScriptMethod("isSet", ["key"], "Whether somebody set a preference.") { arguments in
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

/// What a script passed, as a scalar.
private func preference(_ value: ScriptValue, for key: String) throws(PreferencesError) -> ConfigurationScalar? {
    switch value {
    case .nil: nil
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .number(let number): .number(number)
    case .string(let text): .string(text)
    default: throw .wrongType(key: key, expected: "true or false, a number or text", found: value.found)
    }
}
