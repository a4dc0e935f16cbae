import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004CustomContainersTests {
    @MainActor @Test func claimsHold() {
        #expect(MyContainer.shared === MyContainer.shared, "there is one shared instance")
        #expect(
            MyContainer.shared.cachedService() === MyContainer.shared.cachedService(),
            "its cached service is one instance")
        #expect(MyContainer.shared.cachedService() is MyService, "it has the declared type")
        #expect(
            MyContainer().cachedService() !== MyContainer.shared.cachedService(), "a new container has another instance"
        )
    }
}
