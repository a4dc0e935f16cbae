import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004RegistrationAndScopesTests {
    @MainActor @Test func claimsHold() {
        let (containerA, service1, service2) = services()
        #expect(service1 is MockService, "the container with the registration creates the mock")
        #expect(service2 is MyService, "the other container does not")
        #expect(containerA.cachedService() === service1, "the first container keeps its own instance")
        #expect(MyContainer.shared.cachedService() === service2, "the other container keeps its own instance")

        containerA.manager.reset(options: .scope)
        #expect(containerA.cachedService() !== service1, "clearing one cache creates a new instance in that container")
        #expect(MyContainer.shared.cachedService() === service2, "clearing one cache has no effect elsewhere")
    }
}
