import GlassContainer
import GlassPlatform

extension Container {
    func registerDeviceMocks(_ configuration: PlatformConfig) {
        let appInfo = configuration.appInfo
        register((any AppInfoAPI).self, requires: []) { _ in
            appInfo.name.isEmpty
                ? AppInfoAPIMock() : AppInfoAPIMock(name: appInfo.name, bundleIdentifier: appInfo.bundleIdentifier)
        }
        register((any AppProcessInfo).self, requires: []) { _ in AppProcessInfoMock() }
        register((any ApplicationURLHandler).self, requires: []) { _ in ApplicationURLHandlerMock() }
        let permissions = configuration.permissions
        register((any LocationPermissionProvider).self, requires: []) { _ in
            LocationPermissionProviderMock(locationPermissionLevel: permissions.locationLevel)
        }
        register((any LocationUpdatesProvider).self, requires: []) { _ in
            LocationUpdatesProviderMock(
                allowsBackgroundLocationUpdates: permissions.allowsBackgroundLocationUpdates,
                latest: Location(latitude: 36.3723, longitude: -94.2106))
        }
        register((any NotificationPermissionProvider).self, requires: []) { _ in
            NotificationPermissionProviderMock(options: permissions.notificationOptions)
        }
        register((any UserAgentProviding).self, requires: []) { _ in UserAgentProvidingMock() }
        register((any VideoPermissionProvider).self, requires: []) { _ in VideoPermissionProviderMock() }
    }
}
