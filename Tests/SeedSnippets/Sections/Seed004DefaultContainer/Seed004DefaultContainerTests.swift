import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004DefaultContainerTests {
    @MainActor @Test func claimsHold() {
        let container = Container()
        #expect(
            container.service() is MyService, "the template is a container like the library's")
        #expect(container.service() !== Container.shared.service(), "two containers keep their own instances")
        container.service.register { MockService() }
        #expect(container.service() is MockService, "two containers have their own registrations")
        #expect(Container.shared.service() is MyService, "the other container is unchanged")
        #expect(
            Container.self != GlassContainer.Container.self, "it hides the library's container without replacing it")
        #expect(
            [container as any SharedContainer, GlassContainer.Container.shared].count == 2,
            "both can be passed to functions that take any container")
    }
}
