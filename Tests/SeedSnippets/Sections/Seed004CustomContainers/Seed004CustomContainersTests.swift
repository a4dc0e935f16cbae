import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004CustomContainersTests {
    @MainActor @Test func theClaimsHold() {
        #expect(MyContainer.shared === MyContainer.shared, "the shared instance is one")
        #expect(MyContainer.shared.cachedService() === MyContainer.shared.cachedService(), "its cached service is one")
        #expect(MyContainer.shared.cachedService() is MyService, "of the declared kind")
        #expect(MyContainer().cachedService() !== MyContainer.shared.cachedService(), "a new container has another")
    }
}
