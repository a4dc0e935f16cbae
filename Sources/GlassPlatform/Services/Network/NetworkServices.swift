import GlassContainer
import GlassSchema
import Foundation

extension PlatformCatalogue {
    /// Requests, downloads, cookies and what the network is like.
    static let network: [PlatformService] = [
        PlatformService(
            (any CookieStorageAPI).self, "CookieStorageAPI", CookieStoragePlatformAPI.self,
            configuredBy: ["platform.cookieStorage"], "The app's cookies."
        ) { input, _ in
            CookieStoragePlatformAPI(configuration: input.platform.cookieStorage)
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
    ]
}
