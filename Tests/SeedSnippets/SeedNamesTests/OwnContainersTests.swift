import GlassContainer
import GlassPlatform
import GlassPlatformMocks
import PluginAPIs
import PluginAPIsMocks
import Testing

/// An app keeps its own declarations of names that the library has, even in another module.
@Suite(.timeLimit(.minutes(1)))
struct OwnContainersTests {
    @available(*, deprecated)
    @Test func declarationsOfAppTakePrecedence() {
        #expect(Container.mock.isRegistered(FeedbackAPI.self), "the app's mock container has the app's mocks")
        #expect(Container.mock.get(Analytics.self) is AsyncAnalyticsManager)
        #expect(Container.walmartApp !== Container.shared, "the app's container is its own")
        #expect(Container.walmartApp === Container.walmartApp)

        let container = Container()
        container.setupPlatformMocks()
        #expect(container.analytics === container.get(Analytics.self))
        #expect(container.networking === container.get(Networking.self))
    }
}
