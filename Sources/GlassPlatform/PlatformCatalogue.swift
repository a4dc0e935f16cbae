import Foundation
import GlassContainer
import GlassDeepLinking
import GlassSchema

/// Which services the platform registers, in alphabetical order: one entry each, and nothing is registered elsewhere.
///
/// ``GlassContainer/Container/setupPlatformDependencies(with:deepLinking:host:)`` registers exactly these, `glass-host
/// services` lists them, and `glass-host check` validates every market against them.
public enum PlatformCatalogue {
    /// The services, by name.
    public static let services: [PlatformService] = [
        PlatformService(
            (any AddressConfigurationAPI).self, "AddressConfigurationAPI", AddressConfigurationPlatformAPI.self,
            configuredBy: ["platform.address"], "How postal addresses look, and whether one does."
        ) { input, _ in
            AddressConfigurationPlatformAPI(configuration: input.platform.address)
        },
        PlatformService(
            (any AppInfoAPI).self, "AppInfoAPI", AppInfoPlatformAPI.self,
            configuredBy: ["platform.appInfo"], "Who the app is."
        ) { input, _ in
            AppInfoPlatformAPI(configuration: input.platform.appInfo)
        },
        PlatformService(
            (any AppProcessInfo).self, "AppProcessInfo", ProcessInfo.self, "The process that the app runs in."
        ) { _, _ in
            ProcessInfo.processInfo
        },
        PlatformService(
            (any CookieStorageAPI).self, "CookieStorageAPI", CookieStoragePlatformAPI.self,
            configuredBy: ["platform.cookieStorage"], "The app's cookies."
        ) { input, _ in
            CookieStoragePlatformAPI(configuration: input.platform.cookieStorage)
        },
        PlatformService(
            (any DeepLinker).self, "DeepLinker", DeepLinkRouter.self, providesChild: true,
            configuredBy: ["deepLinking", "routables"], "Opens links."
        ) { input, _ in
            DeepLinkRouter(configuration: input.deepLinking)
        },
        PlatformService(
            (any EnvironmentAPI).self, "EnvironmentAPI", EnvironmentPlatformAPI.self,
            configuredBy: ["platform.environment"], "The environments and the base URLs of their services."
        ) { input, _ in
            EnvironmentPlatformAPI(configurations: input.platform.environment)
        },
        PlatformService(
            (any URLSessionConfigurationAPI).self, "URLSessionConfigurationAPI",
            URLSessionConfigurationPlatformAPI.self,
            requires: [(any UserAgentProviding).self, (any CookieStorageAPI).self],
            configuredBy: ["platform.urlSession"], "What the app's URL sessions start from."
        ) { input, container in
            URLSessionConfigurationPlatformAPI(
                configuration: input.platform.urlSession, userAgent: container.get(), cookies: container.get(),
                cacheFolder: input.host.stateFolder?.appending(path: "responses"))
        },
        PlatformService(
            (any UserAgentProviding).self, "UserAgentProviding", GlassUserAgent.self,
            requires: [(any AppInfoAPI).self], "The text by which servers recognise the app."
        ) { _, container in
            GlassUserAgent(appInfo: container.get())
        },
        PlatformService(
            (any UserDefaultsRegistrationAPI).self, "UserDefaultsRegistrationAPI",
            UserDefaultsRegistrationPlatformAPI.self,
            configuredBy: ["platform.userDefaultsRegistration"], "The user defaults that the market registers."
        ) { input, _ in
            UserDefaultsRegistrationPlatformAPI(configuration: input.platform.userDefaultsRegistration)
        },
    ]

    /// The service of a name.
    ///
    /// - Parameter name: The protocol's name, such as `AppInfoAPI`.
    /// - Returns: The service, or nil. O(services).
    public static func service(named name: String) -> PlatformService? {
        services.first { $0.name == name }
    }

    /// The types that a complete container has: what `validate(requiring:)` is asked for.
    public static var types: [Any.Type] { services.map(\.type) }
}
