import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004ResolvingTests {
    @MainActor @Test func claimsHold() {
        #expect(resolved() is MyService, "calling the factory resolves the service")
        #expect(Container.shared.service.resolve() is MyService, "calling its method resolves the service")
    }
}
