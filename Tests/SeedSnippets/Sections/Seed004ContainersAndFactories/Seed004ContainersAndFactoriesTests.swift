import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004ContainersAndFactoriesTests {
    @MainActor @Test func claimsHold() {
        let container = Container()
        #expect(container.service() is MyService, "the factory creates the service on request")
        #expect(container.service.scope === Scope.unique, "the scope is unique by default")
        #expect(container.service() !== container.service(), "a unique service is created on each read")
    }
}
