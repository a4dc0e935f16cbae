import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

extension Container {
    fileprivate var myService: Factory<MyServiceType> { self { MyService() }.cached }
}

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004PushingAndPoppingTests {
    @MainActor @Test func claimsHold() {
        let container = Container()
        let before = container.myService()

        container.manager.push()
        container.myService.register { MockService() }
        #expect(container.myService() is MockService, "registrations after a push apply")
        container.manager.push()
        container.manager.reset()
        #expect(container.myService() is MyService && container.myService() !== before, "pushes nest")
        container.manager.pop()
        #expect(container.myService() is MockService, "a pop restores the registrations")
        container.manager.pop()
        #expect(container.myService() === before, "a pop restores the cached instances")
    }
}
