import GlassContainer
import GlassMarkets
import GlassPlatform

extension Service {
    /// Mocks of the app, its process, its permissions, and the system around it.
    static let deviceMocks: [Service] = [
        Service((any AppInfoAPI).self, requires: [PlatformConfig.self], "The identity of the app.") { container in
            let appInfo = container.get(PlatformConfig.self).appInfo
            return appInfo.name.isEmpty
                ? AppInfoAPIMock() : AppInfoAPIMock(name: appInfo.name, bundleIdentifier: appInfo.bundleIdentifier)
        },
        Service((any AppProcessInfo).self, "The process that the app runs in.") { _ in AppProcessInfoMock() },
        Service((any ApplicationURLHandler).self, "Opens links outside the app.") { _ in
            ApplicationURLHandlerMock()
        },
        Service(
            (any LocationPermissionProvider).self, requires: [PlatformConfig.self],
            "The permission to access the device's location."
        ) { container in
            let permissions = container.get(PlatformConfig.self).permissions
            return LocationPermissionProviderMock(locationPermissionLevel: permissions.locationLevel)
        },
        Service((any LocationUpdatesProvider).self, requires: [PlatformConfig.self], "The location of the device.") {
            let permissions = $0.get(PlatformConfig.self).permissions
            return LocationUpdatesProviderMock(
                allowsBackgroundLocationUpdates: permissions.allowsBackgroundLocationUpdates,
                latest: Location(latitude: 36.3723, longitude: -94.2106))
        },
        Service(
            (any NotificationPermissionProvider).self, requires: [PlatformConfig.self],
            "The permission to show notifications."
        ) { container in
            let permissions = container.get(PlatformConfig.self).permissions
            return NotificationPermissionProviderMock(options: permissions.notificationOptions)
        },
        Service((any UserAgentProviding).self, "The text that identifies the app to servers.") { _ in
            UserAgentProvidingMock()
        },
        Service((any VideoPermissionProvider).self, "The permission to record video.") { _ in
            VideoPermissionProviderMock()
        },
    ]
}
