import Foundation
import GlassContainer
import GlassDeepLinking
import GlassMarkets
import GlassSchema

extension PlatformCatalog {
    /// The app, its process, its permissions, and the system around it.
    static let device: [Service] = [
        Service(
            (any AppInfoAPI).self, script: { $0.scriptMethods },
            requires: [PlatformConfig.self, PlatformHost.self],
            configuredBy: ["platform.appInfo"], "The identity of the app."
        ) { container in
            let bundle = container.host.device.bundle
            return AppInfoPlatformAPI(configuration: container.platform.appInfo, bundle: bundle())
        },
        Service(
            (any AppProcessInfo).self, script: { $0.scriptMethods },
            "The process that the app runs in."
        ) { _ in
            ProcessInfo.processInfo
        },
        Service(
            (any ApplicationURLHandler).self, script: { $0.scriptMethods },
            requires: [PlatformHost.self, DeepLinkConfiguration.self],
            configuredBy: [
                "deepLinking.schemes", "deepLinking.universalLinks", "deepLinking.allowedDomains",
                "deepLinking.outboundSchemes",
            ],
            "Opens links outside the app."
        ) { container in
            SystemURLHandler(configuration: container.links, opener: container.host.device.urlOpener)
        },
        Service(
            (any LocationPermissionProvider).self, script: { $0.scriptMethods },
            requires: [PlatformConfig.self, PlatformHost.self],
            configuredBy: ["platform.permissions.locationLevel"], "The permission to access the device's location."
        ) { container in
            let level = container.platform.permissions.locationLevel
            let device = container.host.device
            do throws(PermissionError) {
                return try LocationPermission(
                    locationPermissionLevel: level, prompt: device.prompt, usage: device.usageDescriptions)
            } catch {
                return LocationPermission(locationPermissionLevel: level, restrictedBy: error)
            }
        },
        Service(
            (any LocationUpdatesProvider).self, script: { $0.scriptMethods },
            requires: [PlatformConfig.self, PlatformHost.self, (any LocationPermissionProvider).self],
            configuredBy: ["platform.permissions.allowsBackgroundLocationUpdates"], "The location of the device."
        ) { container in
            LocationUpdates(
                allowsBackgroundLocationUpdates: container.platform.permissions.allowsBackgroundLocationUpdates,
                source: container.host.device.locationSource, permission: container.get())
        },
        Service(
            (any NotificationPermissionProvider).self, script: { $0.scriptMethods },
            requires: [PlatformConfig.self, PlatformHost.self],
            configuredBy: ["platform.permissions.notificationOptions"], "The permission to show notifications."
        ) { container in
            NotificationPermission(
                options: container.platform.permissions.notificationOptions,
                prompt: container.host.device.prompt)
        },
        Service(
            (any UserAgentProviding).self, script: { $0.scriptMethods },
            requires: [(any AppInfoAPI).self], "The text that identifies the app to servers."
        ) { container in
            GlassUserAgent(appInfo: container.get())
        },
        Service(
            (any VideoPermissionProvider).self, script: { $0.scriptMethods },
            requires: [PlatformHost.self],
            "The permission to record video."
        ) { container in
            let device = container.host.device
            do throws(PermissionError) {
                return try VideoPermission(
                    prompt: device.prompt, usage: device.usageDescriptions, camera: device.camera)
            } catch {
                return VideoPermission(restrictedBy: error)
            }
        },
    ]
}
