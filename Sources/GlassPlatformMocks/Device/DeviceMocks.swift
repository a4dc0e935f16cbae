import GlassContainer
import GlassMarkets
import GlassPlatform

extension Service {
    /// Mocks of the app, its process, its permissions and the system around it.
    static let deviceMocks: [Service] = [
        Service((any AppInfoAPI).self, requires: [PlatformConfig.self], "Who the app is.") { container in
            let appInfo = container.get(PlatformConfig.self).appInfo
            return appInfo.name.isEmpty
                ? AppInfoAPIMock() : AppInfoAPIMock(name: appInfo.name, bundleIdentifier: appInfo.bundleIdentifier)
        },
        Service((any AppProcessInfo).self, "The process that the app runs in.") { _ in AppProcessInfoMock() },
        Service((any ApplicationURLHandler).self, "Opens links outside of the app.") { _ in
            ApplicationURLHandlerMock()
        },
        Service(
            (any LocationPermissionProvider).self, requires: [PlatformConfig.self],
            "Whether the app may know where the device is."
        ) { container in
            let permissions = container.get(PlatformConfig.self).permissions
            return LocationPermissionProviderMock(locationPermissionLevel: permissions.locationLevel)
        },
        Service((any LocationUpdatesProvider).self, requires: [PlatformConfig.self], "Where the device is.") {
            let permissions = $0.get(PlatformConfig.self).permissions
            return LocationUpdatesProviderMock(
                allowsBackgroundLocationUpdates: permissions.allowsBackgroundLocationUpdates,
                latest: Location(latitude: 36.3723, longitude: -94.2106))
        },
        Service(
            (any NotificationPermissionProvider).self, requires: [PlatformConfig.self],
            "Whether the app may show notifications."
        ) { container in
            let permissions = container.get(PlatformConfig.self).permissions
            return NotificationPermissionProviderMock(options: permissions.notificationOptions)
        },
        Service((any UserAgentProviding).self, "The text by which servers recognise the app.") { _ in
            UserAgentProvidingMock()
        },
        Service((any VideoPermissionProvider).self, "Whether the app may record video.") { _ in
            VideoPermissionProviderMock()
        },
    ]
}
