import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004ReleasingTests {
    @MainActor @Test func claimsHold() {
        let services = released()
        #expect(services[0] === services[1], "a container keeps its instance")
        #expect(services[1] !== services[2], "a new container creates another instance")
        #expect(services[2] === services[3], "the new container keeps its instance")

        var container = MyContainer()
        container.cachedService.register { MockService() }
        weak let old: MyContainer? = container
        weak let kept: (any ServiceType)? = container.cachedService()
        #expect(kept is MockService, "an instance that only the container references lives as long as the container")
        container = MyContainer()
        #expect(old == nil, "a replaced container is released")
        #expect(kept == nil, "its cached instances are released with it")
        #expect(container.cachedService() is MyService, "its registrations are released with it")
    }
}
