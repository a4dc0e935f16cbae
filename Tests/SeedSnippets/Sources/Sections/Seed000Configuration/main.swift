import Claims
import GlassContainer
import GlassPlatform
import WalmartPlatform

await Claims.check { claim in
    let app = GlassAppProvider.mainApp
    claim("the app provider has one container", app === GlassAppProvider.mainApp)
    let names = Set(app.registrations.map(\.displayName))
    claim(
        "the platform registers what it makes from the configuration",
        names == [
            "UserDefaultsRegistrationAPI", "Analytics", "EnvironmentAPI", "URLSessionConfigurationAPI", "Networking",
            "MediaNetworking", "AppInfoAPI", "CookieStorageAPI", "PreferencesStorage",
        ])
    claim("a service has its market's configuration", app.get(AppInfoAPI.self).name == "Walmart")
    claim("nobody gives a closure", app.get(EnvironmentAPI.self) is EnvironmentPlatformAPI)

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
    claim("another market differs by its configuration alone", base == "https://www.walmart.ca/orchestra")

    // What the seed decides on is the library's own function, with all services and one configuration.
    let shared = Container()
    shared.setupPlatformDependencies(with: GlassPlatform.PlatformConfig())
    claim("the library's function registers all services", shared.getIfRegistered(StorageAPI.self) != nil)
}
