public import GlassContainer
import GlassSchema

extension PlatformCatalogue {
    /// What outlives the process.
    static let storage: [PlatformService] = [
        PlatformService(
            (any PreferencesStorage).self, "PreferencesStorage", Preferences.self,
            requires: [(any StorageAPI).self], configuredBy: ["platform.preferences"],
            "The preferences that the market declares."
        ) { input, container in
            Preferences(configuration: input.platform.preferences, storage: container.get())
        },
        PlatformService(
            (any StartupPreferenceAPI).self, "StartupPreferenceAPI", StartupPreferencePlatformAPI.self,
            "Market, environment and launches, readable before the container is built."
        ) { input, _ in
            StartupPreferencePlatformAPI(folder: input.host.stateFolder, host: input.host.storage)
        },
        PlatformService(
            (any StorageAPI).self, "StorageAPI", StoragePlatformAPI.self,
            "Typed values by namespace and key, in SQLite."
        ) { input, _ in
            StoragePlatformAPI(folder: input.host.stateFolder, host: input.host.storage)
        },
        PlatformService(
            (any UserDefaultsRegistrationAPI).self, "UserDefaultsRegistrationAPI",
            UserDefaultsRegistrationPlatformAPI.self,
            configuredBy: ["platform.userDefaultsRegistration"], "The user defaults that the market registers."
        ) { input, _ in
            UserDefaultsRegistrationPlatformAPI(configuration: input.platform.userDefaultsRegistration)
        },
    ]
}

extension Container {
    /// Registers ``PreferencesStorage`` alone, in a container that has a ``StorageAPI``.
    ///
    /// - Parameter configuration: The preferences that the market declares.
    public func setupPreferencesStorage(configuration: PreferencesConfiguration) {
        register((any PreferencesStorage).self, requires: [(any StorageAPI).self]) { container in
            Preferences(configuration: configuration, storage: container.get())
        }
    }
}
