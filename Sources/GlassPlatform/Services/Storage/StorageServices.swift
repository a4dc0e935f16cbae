import GlassContainer
import GlassSchema
extension PlatformCatalogue {
    /// What outlives the process.
    static let storage: [PlatformService] = [
        PlatformService(
            (any UserDefaultsRegistrationAPI).self, "UserDefaultsRegistrationAPI",
            UserDefaultsRegistrationPlatformAPI.self,
            configuredBy: ["platform.userDefaultsRegistration"], "The user defaults that the market registers."
        ) { input, _ in
            UserDefaultsRegistrationPlatformAPI(configuration: input.platform.userDefaultsRegistration)
        }
    ]
}
