import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

private struct Screen {
    let service: MyServiceType

    init(root: Container) {
        service = root.service()
    }
}

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004ContainerSharedTests {
    @MainActor @Test func claimsHold() {
        #expect(Container.shared === Container.shared, "there is one shared container")
        #expect(resolved() is MyService, "it is a service locator")
        Container.shared.service.register { MockService() }
        #expect(resolved() is MockService, "its registrations apply wherever it is used")
        #expect(Screen(root: .shared).service is MockService, "it may be passed as the composition root")
    }
}
