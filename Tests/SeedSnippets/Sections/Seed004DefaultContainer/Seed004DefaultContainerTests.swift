import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004DefaultContainerTests {
    @MainActor @Test func theClaimsHold() {
        let container = Container()
        #expect(
            container.service() is MyService, "the template is a container like the one that comes with the library")
        #expect(container.service() !== Container.shared.service(), "two containers keep instances of their own")
        container.service.register { MockService() }
        #expect(container.service() is MockService, "and registrations of their own")
        #expect(Container.shared.service() is MyService, "the other one is as it was")
        #expect(Container.self != GlassContainer.Container.self, "it hides the library's and does not become it")
        #expect(
            [container as any SharedContainer, GlassContainer.Container.shared].count == 2,
            "both are what functions for any container take")
    }
}
