import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004ReleasingTests {
    @MainActor @Test func theClaimsHold() {
        let services = released()
        #expect(services[0] === services[1], "a container keeps its instance")
        #expect(services[1] !== services[2], "a new container makes another")
        #expect(services[2] === services[3], "and keeps that")

        var container = MyContainer()
        container.cachedService.register { MockService() }
        weak let old: MyContainer? = container
        weak let kept: (any ServiceType)? = container.cachedService()
        #expect(kept is MockService, "what only the container holds is there as long as it is")
        container = MyContainer()
        #expect(old == nil, "a container that is replaced is released")
        #expect(kept == nil, "with what it kept")
        #expect(container.cachedService() is MyService, "and with its registrations")
    }
}
