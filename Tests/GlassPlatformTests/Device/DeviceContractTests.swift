import GlassContainer
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

/// Requirements for every implementation of the device services, live and mock alike.
@Suite(.timeLimit(.minutes(1)))
struct DeviceContractTests {
    /// Each permission of a family, on a device whose user agrees.
    func permissions(_ kind: ServiceKind) throws -> [any PermissionProviding] {
        let container: Container
        if kind == .mock {
            container = .mock
        } else {
            container = Container()
            var host = PlatformHost()
            host.device = .unattended(permissions: .allow, urlOpener: .print { _ in })
            container.setupPlatformDependencies(with: sampleConfig(), host: host)
        }
        return [
            container.get((any NotificationPermissionProvider).self),
            container.get((any LocationPermissionProvider).self), container.get((any VideoPermissionProvider).self),
        ]
    }

    @Test(arguments: ServiceKind.allCases)
    func everyPermissionGoesFromUndeterminedToGranted(kind: ServiceKind) async throws {
        for permission in try permissions(kind) {
            #expect(permission.status == .notDetermined && !permission.isGranted)
            var updates = permission.statusUpdates().makeAsyncIterator()
            #expect(await updates.next() == .notDetermined)
            #expect(try await permission.request() == .granted)
            #expect(await updates.next() == .requesting)
            #expect(await updates.next() == .granted)
            #expect(permission.isGranted)
            #expect(await permission.refresh() == .granted)
        }
    }

    @Test func mockedPermissionFollowsTest() async throws {
        let notifications = NotificationPermissionProviderMock(prompt: .policy(.deny))
        #expect(try await notifications.request().name == "denied")
        notifications.set(.granted)
        #expect(notifications.isGranted)
        let video = VideoPermissionProviderMock()
        video.set(.restricted(reason: "r"))
        #expect(try await video.request() == .restricted(reason: "r"))
        let location = LocationPermissionProviderMock(locationPermissionLevel: .always)
        location.set(.notDetermined)
        #expect(try await location.request() == .granted)
        #expect(location.permission.description == "location (always)")
    }

    @Test func permissionsOfMarketReachServices() {
        var config = sampleConfig()
        config.permissions.notificationOptions = [.alert, .carPlay]
        config.permissions.locationLevel = .always
        config.permissions.allowsBackgroundLocationUpdates = true
        for kind in ServiceKind.allCases {
            let container = Container()
            if kind == .mock {
                container.setupPlatformMocks(with: config)
            } else {
                container.setupPlatformDependencies(with: config, host: .inMemory)
            }
            #expect(container.get((any NotificationPermissionProvider).self).options == [.alert, .carPlay])
            #expect(container.get((any LocationPermissionProvider).self).locationPermissionLevel == .always)
            #expect(container.get((any LocationUpdatesProvider).self).allowsBackgroundLocationUpdates)
        }
    }

    @Test func appWithoutLatinNameHasUserAgent() {
        let agent = GlassUserAgent(
            appInfo: AppInfoAPIMock(name: "沃尔玛 7", version: "2.0"), system: "Linux 6.8", device: "x86_64")
        #expect(agent.userAgent == "App/2.0 (x86_64; Linux 6.8; com.example.mock; build 1)")
    }

    @Test(arguments: [
        ("Walmart México", "WalmartMexico"), ("Großhändler Łódź", "GrosshandlerLodz"), ("Œuvre Ægir", "OeuvreAegir"),
        ("e\u{301}te\u{301}", "ete"), ("İstanbul ı", "Istanbuli"),
    ])
    func accentsOfNameAreFolded(name: String, product: String) {
        let agent = GlassUserAgent(
            appInfo: AppInfoAPIMock(name: name, version: "24.3.0"), system: "iOS 18.1", device: "iPhone15,2")
        #expect(agent.userAgent == "\(product)/24.3.0 (iPhone15,2; iOS 18.1; com.example.mock; build 1)")
    }

    @Test(arguments: [("a;b)\r\nX: y", "abX: y"), ("", "unknown"), ("Sülz (2)", "Sulz 2")])
    func deviceEndsNoComment(device: String, text: String) {
        let agent = GlassUserAgent(appInfo: AppInfoAPIMock(name: "A", version: "1"), system: "s", device: device)
        #expect(agent.userAgent == "A/1 (\(text); s; com.example.mock; build 1)")
    }

    @Test(arguments: [
        (AppBundle(identifier: "com.walmart.ca", version: "9.1", build: 77), "9.1", 77),
        (AppBundle(identifier: "com.walmart.ca.widget", version: "9.1", build: 77), "9.1", 77),
        (AppBundle(identifier: "com.walmart.ca", version: nil, build: nil), "1.0", 1),
        (AppBundle(identifier: "com.walmart.cart", version: "9.1", build: 77), "1.0", 1),
        (AppBundle(identifier: "com.apple.dt.xctest.tool", version: "16.0", build: 5), "1.0", 1),
        (AppBundle(), "1.0", 1),
    ])
    func versionAndBuildComeFromBundle(bundle: AppBundle, version: String, build: Int) {
        var configuration = AppInfoConfiguration()
        configuration.bundleIdentifier = "com.walmart.ca"
        configuration.version = "1.0"
        let info = AppInfoPlatformAPI(configuration: configuration, bundle: bundle)
        #expect(info.version == version && info.build == build && info.bundleIdentifier == "com.walmart.ca")
        #expect(AppInfoPlatformAPI(configuration: AppInfoConfiguration(), bundle: bundle).version == "")
    }

    @Test func valuesOfBundleAreRead() {
        let values: [String: Any] = [
            "CFBundleIdentifier": "a.b", "CFBundleShortVersionString": "1.2", "CFBundleVersion": "34",
        ]
        #expect(AppBundle(values) == AppBundle(identifier: "a.b", version: "1.2", build: 34))
        #expect(AppBundle(["CFBundleVersion": "1.2.3", "CFBundleShortVersionString": 7]) == AppBundle())
    }
}
