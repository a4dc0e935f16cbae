import GlassContainer
import GlassPlatform

extension Container {
    func registerStorageMocks(_ configuration: PlatformConfig) {
        register((any PreferencesStorage).self, requires: []) { _ in
            PreferencesStorageMock(configuration: configuration.preferences)
        }
        register((any StartupPreferenceAPI).self, requires: []) { _ in StartupPreferenceAPIMock() }
        register((any StorageAPI).self, requires: []) { _ in StorageAPIMock() }
        register((any UserDefaultsRegistrationAPI).self, requires: []) { _ in UserDefaultsRegistrationAPIMock() }
    }
}
