import GlassContainer
import GlassSchema
import Foundation

extension PlatformCatalogue {
    /// The app, its process, its permissions and the system around it.
    static let device: [PlatformService] = [
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
            (any UserAgentProviding).self, "UserAgentProviding", GlassUserAgent.self,
            requires: [(any AppInfoAPI).self], "The text by which servers recognise the app."
        ) { _, container in
            GlassUserAgent(appInfo: container.get())
        },
    ]
}
