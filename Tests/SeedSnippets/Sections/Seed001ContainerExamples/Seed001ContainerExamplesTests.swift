import GlassContainer
import GlassContainerTesting
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed001ContainerExamplesTests {
    @MainActor @Test func claimsHold() {
        let container = registered()
        #expect(made.load(ordering: .relaxed) == 0, "no service is created before it is requested")

        let api = retrieved(from: container)
        #expect(api is FeedbackPluginAPI, "the plugin is inferred from the type of the constant")
        #expect(api.owner == ObjectIdentifier(container), "the plugin's initializer receives the container")
        #expect(retrieved(from: container) === api, "the container keeps the instance")
        #expect(made.load(ordering: .relaxed) == 1, "it is created once")
        #expect(!isMock(container.get()), "the plugin is inferred from the type of a parameter")

        let other = registered()
        #expect(retrieved(from: other) !== api, "another container has its own instance")

        let demo = Container()
        demo.register(FeedbackAPI.self, FeedbackAPIMock.init)
        #expect(isMock(demo.get()), "a consumer gets the mock that is registered")
    }
}
