import GlassBase
import GlassDeepLinking
public import GlassSchema

/// The preferences in the storage's SQLite file, with a namespace for each suite.
public final class Preferences: PreferencesStorage {
    /// The market's declaration.
    public typealias Configuration = PreferencesConfiguration

    /// The suite, which separates the preferences of different markets.
    public let suite: String
    /// The declared preferences by key.
    public let declared: [String: PreferencesConfiguration.Preference]
    private let storage: any StorageAPI
    private let reported = Lock<Set<String>>([])

    /// Creates the preferences.
    ///
    /// - Parameters:
    ///   - configuration: The market's declaration.
    ///   - storage: The storage for values; by default, in the system's standard location for the program, where the
    ///     suite separates the preferences of markets.
    public init(configuration: Configuration, storage: any StorageAPI = StoragePlatformAPI()) {
        suite = configuration.suite
        declared = configuration.keys
        self.storage = storage
    }

    /// The namespace of the values in the storage.
    package var namespace: String { "preferences/\(suite)" }

    /// The value of a preference: the one that was set, or else the market's default.
    ///
    /// - Parameter key: A declared key.
    /// - Returns: The value, or `nil` if none is set and the market declares no default.
    /// - Throws: ``PreferencesError``.
    public func value(for key: String) throws(PreferencesError) -> ConfigurationScalar? {
        let preference = try preference(for: key)
        return try stored(key, as: preference.type) ?? preference.default.flatMap(preference.type.converted)
    }

    /// Sets a preference. When this returns, the value survives a kill and a power failure.
    ///
    /// - Parameters:
    ///   - value: A value of the declared type. An integer is also a valid number. `nil` restores the default.
    ///   - key: A declared key.
    /// - Throws: ``PreferencesError``, in which case nothing changes.
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
        // The value of another type has been replaced, so a later one has to be reported again.
        reported.withLock { _ = $0.remove(key) }
    }

    /// Whether a preference is set to a value that is valid for its type.
    ///
    /// - Parameter key: A declared key.
    /// - Returns: `false` if the default applies.
    /// - Throws: ``PreferencesError``.
    public func isSet(_ key: String) throws(PreferencesError) -> Bool {
        try stored(key, as: preference(for: key).type) != nil
    }

    /// The values that are set and removed from now on, by this process and others. The name of each change is the key.
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
            // This class does not write such values; other code wrote into the namespace.
            report(key, type, found: "something that is not a preference")
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
    /// The value converted to this type, or `nil` if it would not be the same.
    func converted(_ value: ConfigurationScalar) -> ConfigurationScalar? {
        switch (self, value) {
        case (.number, .integer(let whole)): Int(exactly: Double(whole)) == whole ? .number(Double(whole)) : nil
        case (.integer, .number(let number)): Int(exactly: number).map { .integer($0) }
        default: accepts(value) ? value : nil
        }
    }
}

/// A scalar in its stored form, which includes the type, because JSON alone would lose it (`1.0` and `1`).
private struct StoredScalar: Codable, Sendable {
    let value: ConfigurationScalar

    init(value: ConfigurationScalar) {
        self.value = value
    }

    private enum CodingKeys: String, CodingKey {
        case boolean, integer, number, string
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
