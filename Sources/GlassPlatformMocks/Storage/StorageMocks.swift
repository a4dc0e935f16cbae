import GlassContainer
import GlassPlatform

extension Container {
    func registerStorageMocks(_ configuration: PlatformConfig) {
        register((any UserDefaultsRegistrationAPI).self, requires: []) { _ in UserDefaultsRegistrationAPIMock() }
    }
}
