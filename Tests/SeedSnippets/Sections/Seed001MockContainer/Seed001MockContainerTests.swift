import GlassContainer
import GlassContainerTesting
import PluginAPIs
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed001MockContainerTests {
    @MainActor @Test func theClaimsHold() {
        let container = Container.mock
        let feedback: FeedbackAPI = container.get()
        #expect(feedback is FeedbackAPIMock, "the mock is found by the interface")
        #expect(container.get(PluginAPIs.FeedbackAPI.self) === feedback, "an interface may be written with its module")

        let analytics: Analytics = container.get()
        #expect(
            (analytics as? AnalyticsManager)?.feedback === feedback, "a service of the mock container finds the mocks")
        #expect(
            container.get(FeedbackAPI.self) === feedback, "an initializer without the container makes a service, too")

        let other = Container.mock
        #expect(other !== container, "each reading is a container of its own")
        #expect(other.get(FeedbackAPI.self) !== feedback, "with instances of its own")
    }
}
