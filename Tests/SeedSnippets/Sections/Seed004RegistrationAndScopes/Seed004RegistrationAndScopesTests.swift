import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004RegistrationAndScopesTests {
    @MainActor @Test func theClaimsHold() {
        let (containerA, service1, service2) = services()
        #expect(service1 is MockService, "the container that was told makes the mock")
        #expect(service2 is MyService, "the other one does not")
        #expect(containerA.cachedService() === service1, "each keeps its own")
        #expect(MyContainer.shared.cachedService() === service2, "and the other its own")

        containerA.manager.reset(options: .scope)
        #expect(containerA.cachedService() !== service1, "clearing one cache makes a new instance there")
        #expect(MyContainer.shared.cachedService() === service2, "and has no effect elsewhere")
    }
}
