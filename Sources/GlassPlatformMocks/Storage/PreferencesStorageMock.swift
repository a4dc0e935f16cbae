package import GlassPlatform
package import GlassSchema

/// Preferences in memory, with the types and defaults that the market declares.
package final class PreferencesStorageMock: PreferencesStorage {
    private let preferences: Preferences

    /// Creates preferences without set values.
    package init(configuration: PreferencesConfiguration = PreferencesConfiguration()) {
        preferences = Preferences(configuration: configuration, storage: StorageAPIMock())
    }

    /// The suite.
    package var suite: String { preferences.suite }
    /// The declared preferences by key.
    package var declared: [String: PreferencesConfiguration.Preference] { preferences.declared }

    /// The value of a preference: the one that was set, or else the default.
    package func value(for key: String) throws(PreferencesError) -> ConfigurationScalar? {
        try preferences.value(for: key)
    }

    /// Sets a preference.
    package func set(_ value: ConfigurationScalar?, for key: String) throws(PreferencesError) {
        try preferences.set(value, for: key)
    }

    /// Whether a preference is set.
    package func isSet(_ key: String) throws(PreferencesError) -> Bool { try preferences.isSet(key) }

    /// The values that are set and removed from now on.
    package func changes() -> StorageChanges { preferences.changes() }
}
