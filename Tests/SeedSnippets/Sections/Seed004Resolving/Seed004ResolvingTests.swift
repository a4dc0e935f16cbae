import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004ResolvingTests {
    @MainActor @Test func theClaimsHold() {
        #expect(resolved() is MyService, "calling the factory resolves the service")
        #expect(Container.shared.service.resolve() is MyService, "so does its function")
    }
}
