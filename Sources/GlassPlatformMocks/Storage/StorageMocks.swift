import GlassContainer
import GlassMarkets
import GlassPlatform

extension Service {
    /// Mocks of the services for persistent data.
    static let storageMocks: [Service] = [
        Service((any PreferencesStorage).self, requires: [PlatformConfig.self], "The declared preferences.") {
            PreferencesStorageMock(configuration: $0.get(PlatformConfig.self).preferences)
        },
        Service((any StartupPreferenceAPI).self, "Market, environment and launches.") { _ in
            StartupPreferenceAPIMock()
        },
        Service((any StorageAPI).self, "Typed values by namespace and key.") { _ in StorageAPIMock() },
        Service((any UserDefaultsRegistrationAPI).self, "The user defaults that the market registers.") { _ in
            UserDefaultsRegistrationAPIMock()
        },
    ]
}
