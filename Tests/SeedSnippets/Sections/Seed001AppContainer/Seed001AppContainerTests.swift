import GlassContainer
import GlassContainerTesting
import Testing

final class AppAnalytics: Analytics {}

final class AppNetworking: Networking {
    let analytics: Analytics

    init(container: Container) {
        analytics = container.analytics
    }
}

final class Plugin {
    let networking: Networking

    init(container: Container) {
        networking = container.networking
    }
}

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed001AppContainerTests {
    @MainActor @Test func claimsHold() {
        Container.walmartApp.register(Networking.self, AppNetworking.init)
        Container.walmartApp.register(Analytics.self, AppAnalytics.init)
        Container.walmartApp.register(Plugin.self, Plugin.init)

        let plugin: Plugin = Container.walmartApp.get()
        #expect(Container.walmartApp === Container.walmartApp, "the app has one container")
        #expect(Container.walmartApp.analytics is AppAnalytics, "a property reads the registered service")
        #expect(
            Container.walmartApp.networking === Container.walmartApp.networking,
            "a property reads the same instance each time")
        #expect(plugin.networking === Container.walmartApp.networking, "a plugin finds the app's services")
        #expect(
            (plugin.networking as? AppNetworking)?.analytics === Container.walmartApp.analytics,
            "a service finds another one, registered later")
        #expect(Container.walmartApp.get(Plugin.self) === plugin, "a property also finds it if its type is specified")
    }

    @Test func unregisteredServiceTrapsWithItsName() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Container.walmartApp.networking
        }
        #expect(result.exitStatus.isSignal)
        let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(errors.contains("Networking is not registered"))
    }
}

extension ExitStatus {
    fileprivate var isSignal: Bool {
        if case .signal = self { true } else { false }
    }
}
