import Foundation
import GlassContainer
import GlassSchema

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
            (any ApplicationURLHandler).self, "ApplicationURLHandler", SystemURLHandler.self,
            configuredBy: ["deepLinking.schemes", "deepLinking.universalLinks", "deepLinking.allowedDomains"],
            "Opens links outside of the app."
        ) { input, _ in
            SystemURLHandler(configuration: input.deepLinking, opener: input.host.device.urlOpener)
        },
        PlatformService(
            (any LocationPermissionProvider).self, "LocationPermissionProvider", LocationPermission.self,
            configuredBy: ["platform.permissions.locationLevel"], "Whether the app may know where the device is."
        ) { input, _ in
            let level = input.platform.permissions.locationLevel
            let device = input.host.device
            do throws(PermissionError) {
                return try LocationPermission(
                    locationPermissionLevel: level, prompt: device.permissionPrompt, usage: device.usageDescriptions)
            } catch {
                return LocationPermission(locationPermissionLevel: level, restrictedBy: error)
            }
        },
        PlatformService(
            (any LocationUpdatesProvider).self, "LocationUpdatesProvider", LocationUpdates.self,
            requires: [(any LocationPermissionProvider).self],
            configuredBy: ["platform.permissions.allowsBackgroundLocationUpdates"], "Where the device is."
        ) { input, container in
            LocationUpdates(
                allowsBackgroundLocationUpdates: input.platform.permissions.allowsBackgroundLocationUpdates,
                source: input.host.device.locationSource, permission: container.get())
        },
        PlatformService(
            (any NotificationPermissionProvider).self, "NotificationPermissionProvider", NotificationPermission.self,
            configuredBy: ["platform.permissions.notificationOptions"], "Whether the app may show notifications."
        ) { input, _ in
            NotificationPermission(
                options: input.platform.permissions.notificationOptions, prompt: input.host.device.permissionPrompt)
        },
        PlatformService(
            (any UserAgentProviding).self, "UserAgentProviding", GlassUserAgent.self,
            requires: [(any AppInfoAPI).self], "The text by which servers recognise the app."
        ) { _, container in
            GlassUserAgent(appInfo: container.get())
        },
        PlatformService(
            (any VideoPermissionProvider).self, "VideoPermissionProvider", VideoPermission.self,
            "Whether the app may record video."
        ) { input, _ in
            let device = input.host.device
            do throws(PermissionError) {
                return try VideoPermission(
                    prompt: device.permissionPrompt, usage: device.usageDescriptions, camera: device.camera)
            } catch {
                return VideoPermission(restrictedBy: error)
            }
        },
    ]
}
