package import GlassPlatform
package import GlassSchema

/// Preferences in memory, with the types and defaults that the market declares.
package final class PreferencesStorageMock: PreferencesStorage {
    private let preferences: Preferences

    /// Creates preferences that nobody has set.
    ///
    /// - Parameter configuration: The declared preferences.
    package init(configuration: PreferencesConfiguration = PreferencesConfiguration()) {
        preferences = Preferences(configuration: configuration, storage: StorageAPIMock())
    }

    /// The suite.
    package var suite: String { preferences.suite }
    /// The declared preferences by key.
    package var declared: [String: PreferencesConfiguration.Preference] { preferences.declared }

    /// The value of a preference: what somebody set, else the default.
    ///
    /// - Parameter key: A declared key.
    /// - Returns: The value, or nil.
    /// - Throws: `PreferencesError`.
    package func value(for key: String) throws(PreferencesError) -> ConfigurationScalar? {
        try preferences.value(for: key)
    }

    /// Sets a preference.
    ///
    /// - Parameters:
    ///   - value: A value of the declared type; nil goes back to the default.
    ///   - key: A declared key.
    /// - Throws: `PreferencesError`.
    package func set(_ value: ConfigurationScalar?, for key: String) throws(PreferencesError) {
        try preferences.set(value, for: key)
    }

    /// Whether somebody set a preference.
    ///
    /// - Parameter key: A declared key.
    /// - Returns: False when the default holds.
    /// - Throws: `PreferencesError`.
    package func isSet(_ key: String) throws(PreferencesError) -> Bool { try preferences.isSet(key) }

    /// What is set and removed from now on.
    ///
    /// - Returns: The changes, for one reader.
    package func changes() -> StorageChanges { preferences.changes() }
}
