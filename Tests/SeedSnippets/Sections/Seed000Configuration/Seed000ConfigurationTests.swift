import GlassContainer
import GlassContainerTesting
import GlassPlatform
import Testing
import WalmartPlatform

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed000ConfigurationTests {
    @MainActor @Test func claimsHold() throws {
        let app = GlassAppProvider.mainApp
        #expect(app === GlassAppProvider.mainApp, "the app provider has one container")
        let names = Set(app.registrations.map(\.displayName))
        #expect(
            names == [
                "UserDefaultsRegistrationAPI", "Analytics", "EnvironmentAPI", "URLSessionConfigurationAPI",
                "Networking",
                "MediaNetworking", "AppInfoAPI", "CookieStorageAPI", "PreferencesStorage",
            ], "the platform registers the services that it creates from the configuration")
        #expect(app.get(AppInfoAPI.self).name == "Walmart", "a service has its market's configuration")
        #expect(app.get(EnvironmentAPI.self) is EnvironmentPlatformAPI, "no closure is set")

        var canada = EnvironmentConfiguration.usa
        canada.environments["production"]?.services["orchestra"] = "https://www.walmart.ca/orchestra"
        let other = Container()
        other.setupPlatformdependencies(
            with: PlatformConfig(
                userDefaultsRegistrationAPIConfig: .usa, aniviaSuperAttributesConfiguration: .usa,
                environmentPlatformAPIAPIConfig: canada, urlSessionConfigurationPlatformAPIConfig: .usa,
                networkingConfig: .usa, appInfoPlatformAPIConfig: .usa, preferencesConfig: .usa,
                cookieStoragePlatformAPIConfig: .usa))
        let base = try other.get(EnvironmentAPI.self).baseURL(for: "orchestra").absoluteString
        #expect(base == "https://www.walmart.ca/orchestra", "another market differs only in its configuration")

        // The seed's decision is the library's own function, with all services and one configuration.
        let shared = Container()
        shared.setupPlatformDependencies(with: GlassPlatform.PlatformConfig())
        #expect(shared.getIfRegistered(StorageAPI.self) != nil, "the library's function registers all services")
    }
}
