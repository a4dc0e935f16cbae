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
        register((any UserAgentProviding).self, requires: []) { _ in UserAgentProvidingMock() }
    }
}
