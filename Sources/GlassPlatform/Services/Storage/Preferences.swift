import GlassBase
import GlassDeepLinking
public import GlassSchema

/// The preferences in the storage's SQLite file, in a namespace per suite.
public final class Preferences: PreferencesStorage {
    /// What the market declares.
    public typealias Configuration = PreferencesConfiguration

    /// The suite that keeps the preferences of one market apart from those of another.
    public let suite: String
    /// The declared preferences by key.
    public let declared: [String: PreferencesConfiguration.Preference]
    private let storage: any StorageAPI
    private let reported = Lock<Set<String>>([])

    /// Creates the preferences.
    ///
    /// - Parameters:
    ///   - configuration: What the market declares.
    ///   - storage: Where values are kept; by default in memory.
    public init(configuration: Configuration, storage: any StorageAPI = StoragePlatformAPI()) {
        suite = configuration.suite
        declared = configuration.keys
        self.storage = storage
    }

    /// The namespace of the values in the storage.
    package var namespace: String { "preferences/\(suite)" }

    /// The value of a preference: what somebody set, else the market's default.
    ///
    /// - Parameter key: A declared key.
    /// - Returns: The value; nil when none is set and the market gives no default.
    /// - Throws: ``PreferencesError``.
    public func value(for key: String) throws(PreferencesError) -> ConfigurationScalar? {
        let preference = try preference(for: key)
        return try stored(key, as: preference.type) ?? preference.default.flatMap(preference.type.converted)
    }

    /// Sets a preference; when this returns, the value survives a kill and a power cut.
    ///
    /// - Parameters:
    ///   - value: A value of the declared type; a whole number is a number too. Nil goes back to the default.
    ///   - key: A declared key.
    /// - Throws: ``PreferencesError``; nothing has changed then.
    public func set(_ value: ConfigurationScalar?, for key: String) throws(PreferencesError) {
        let type = try preference(for: key).type
        var scalar: StoredScalar?
        if let value {
            guard let converted = type.converted(value) else {
                throw .wrongType(key: key, expected: type.expectation, found: value.configurationValue.found)
            }
            if case .number(let number) = converted, !number.isFinite {
                throw .wrongType(key: key, expected: "a finite number", found: "\(number)")
            }
            scalar = StoredScalar(value: converted)
        }
        do throws(StorageError) { try storage.set(scalar, for: storageKey(key)) } catch { throw .storage(error) }
        // The value of another type is gone, so the next one is news again.
        reported.withLock { _ = $0.remove(key) }
    }

    /// Whether somebody set a preference, to a value that fits its type.
    ///
    /// - Parameter key: A declared key.
    /// - Returns: False when the default holds.
    /// - Throws: ``PreferencesError``.
    public func isSet(_ key: String) throws(PreferencesError) -> Bool {
        try stored(key, as: preference(for: key).type) != nil
    }

    /// What is set and removed from now on, by this process and by others; each change's name is the key.
    ///
    /// - Returns: The changes, for one reader.
    public func changes() -> StorageChanges { storage.changes(in: namespace) }

    private func storageKey(_ key: String) -> StorageKey<StoredScalar> { StorageKey(namespace, key) }

    private func preference(for key: String) throws(PreferencesError) -> PreferencesConfiguration.Preference {
        guard let preference = declared[key] else {
            throw .unknownKey(key, nearest: Suggestion.nearest(to: key, in: declared.keys))
        }
        return preference
    }

    private func stored(
        _ key: String, as type: PreferencesConfiguration.PreferenceType
    ) throws(PreferencesError) -> ConfigurationScalar? {
        do throws(StorageError) {
            guard let value = try storage.value(for: storageKey(key))?.value else { return nil }
            if let converted = type.converted(value) { return converted }
            report(key, type, found: value.configurationValue.found)
            return nil
        } catch .wrongType {
            // Not by this class: somebody wrote something else into the namespace.
            report(key, type, found: "something that is no preference")
            return nil
        } catch {
            throw .storage(error)
        }
    }

    private func report(_ key: String, _ type: PreferencesConfiguration.PreferenceType, found: String) {
        guard reported.withLock({ $0.insert(key).inserted }) else { return }
        storage.report(
            StorageIssue(
                .typeChanged, file: nil,
                reason: "preferences: \(key) is stored as \(found), but the market now declares \(type.expectation); "
                    + "the default is used until it is set again"))
    }
}

extension PreferencesConfiguration.PreferenceType {
    /// A value as this type.
    func converted(_ value: ConfigurationScalar) -> ConfigurationScalar? {
        switch (self, value) {
        case (.number, .integer(let whole)): Int(exactly: Double(whole)) == whole ? .number(Double(whole)) : nil
        case (.integer, .number(let number)): Int(exactly: number).map { .integer($0) }
        default: accepts(value) ? value : nil
        }
    }
}

/// A scalar in the form in which it is stored: with its type, which JSON alone would lose (`1.0` and `1`).
private struct StoredScalar: Codable, Sendable {
    let value: ConfigurationScalar

    private enum CodingKeys: String, CodingKey {
        case boolean, integer, number, string
    }

    init(value: ConfigurationScalar) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch container.allKeys.first {
        case .boolean: value = .boolean(try container.decode(Bool.self, forKey: .boolean))
        case .integer: value = .integer(try container.decode(Int.self, forKey: .integer))
        case .number: value = .number(try container.decode(Double.self, forKey: .number))
        case .string: value = .string(try container.decode(String.self, forKey: .string))
        case nil:
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no type of a preference"))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch value {
        case .boolean(let flag): try container.encode(flag, forKey: .boolean)
        case .integer(let number): try container.encode(number, forKey: .integer)
        case .number(let number): try container.encode(number, forKey: .number)
        case .string(let text): try container.encode(text, forKey: .string)
        }
    }
}
