import GlassContainer
import GlassContainerTesting
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed001ContainerExamplesTests {
    @MainActor @Test func theClaimsHold() {
        let container = registered()
        #expect(made.load(ordering: .relaxed) == 0, "nothing is made before it is asked for")

        let api = retrieved(from: container)
        #expect(api is FeedbackPluginAPI, "the type of the constant finds the plugin")
        #expect(api.owner == ObjectIdentifier(container), "the plugin's initializer gets the container")
        #expect(retrieved(from: container) === api, "the container keeps the instance")
        #expect(made.load(ordering: .relaxed) == 1, "it is made once")
        #expect(!isMock(container.get()), "the type of a parameter finds the plugin")

        let other = registered()
        #expect(retrieved(from: other) !== api, "another container has an instance of its own")

        let demo = Container()
        demo.register(FeedbackAPI.self, FeedbackAPIMock.init)
        #expect(isMock(demo.get()), "a consumer gets a mock where one is registered")
    }
}
