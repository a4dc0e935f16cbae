public import GlassContainer
import GlassDeepLinking
import GlassMarkets
import GlassSchema

extension PlatformCatalog {
    /// The services for persistent data.
    static let storage: [Service] = [
        Service(
            (any PreferencesStorage).self, script: { $0.scriptMethods },
            requires: [PlatformConfig.self, (any StorageAPI).self], configuredBy: ["platform.preferences"],
            "The preferences that the market declares."
        ) { container in
            Preferences(configuration: container.platform.preferences, storage: container.get())
        },
        Service(
            (any StartupPreferenceAPI).self, script: { $0.scriptMethods },
            requires: [PlatformHost.self],
            "Market, environment and launches, readable before the container is built."
        ) { container in
            StartupPreferencePlatformAPI(folder: container.host.programFolder, host: container.host.storage)
        },
        Service(
            (any StorageAPI).self, script: { $0.scriptMethods },
            requires: [PlatformHost.self],
            "Typed values by namespace and key, in SQLite."
        ) { container in
            StoragePlatformAPI(folder: container.host.stateFolder, host: container.host.storage)
        },
        Service(
            (any UserDefaultsRegistrationAPI).self, script: { $0.scriptMethods },
            requires: [PlatformConfig.self],
            configuredBy: ["platform.userDefaultsRegistration"], "The user defaults that the market registers."
        ) { container in
            UserDefaultsRegistrationPlatformAPI(configuration: container.platform.userDefaultsRegistration)
        },
    ]
}

extension Container {
    /// Registers only ``PreferencesStorage``. Its values are in the container's ``StorageAPI``, which may be registered
    /// later, or else in the default storage, which `StoragePlatformAPI()` creates.
    ///
    /// - Parameter configuration: The preferences that the market declares.
    public func setupPreferencesStorage(configuration: PreferencesConfiguration) {
        register((any PreferencesStorage).self, requires: []) { container in
            Preferences(configuration: configuration, storage: LateStorage(LateContainer(container)))
        }
    }
}
