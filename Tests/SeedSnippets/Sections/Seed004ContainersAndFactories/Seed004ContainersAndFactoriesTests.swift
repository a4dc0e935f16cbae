import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004ContainersAndFactoriesTests {
    @MainActor @Test func theClaimsHold() {
        let container = Container()
        #expect(container.service() is MyService, "the factory makes the service when asked")
        #expect(container.service.scope === Scope.unique, "the scope is unique unless something else is said")
        #expect(container.service() !== container.service(), "a unique service is made anew")
    }
}
