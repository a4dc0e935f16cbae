import GlassContainer
import GlassContainerTesting
import PluginAPIs
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed001MockContainerTests {
    @MainActor @Test func claimsHold() {
        let container = Container.mock
        let feedback: FeedbackAPI = container.get()
        #expect(feedback is FeedbackAPIMock, "the mock is found by its interface")
        #expect(
            container.get(PluginAPIs.FeedbackAPI.self) === feedback, "an interface may be qualified with its module")

        let analytics: Analytics = container.get()
        #expect(
            (analytics as? AnalyticsManager)?.feedback === feedback, "a service of the mock container finds the mocks")
        #expect(
            container.get(FeedbackAPI.self) === feedback, "an initializer without the container also creates a service")

        let other = Container.mock
        #expect(other !== container, "each read creates a new container")
        #expect(other.get(FeedbackAPI.self) !== feedback, "each container has its own instances")
    }
}
