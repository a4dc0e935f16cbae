import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004PassingContainersTests {
    @MainActor @Test func claimsHold() {
        let container = Container()
        container.service.register { MockService() }
        #expect(
            ContentViewModel(container: container).service2 is MockService, "a view model resolves from its container")
        #expect(
            ContentViewModel(container: .shared).service2 is MyService, "it does not resolve from another container")
    }
}
