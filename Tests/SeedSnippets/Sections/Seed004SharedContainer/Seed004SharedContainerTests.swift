import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004SharedContainerTests {
    @MainActor @Test func claimsHold() {
        let (common1, common2) = common()
        #expect(common1 is MyService && common2 is MyService, "every container has the factory")
        #expect(common1 !== common2, "each container creates its own service")

        MyContainer.shared.commonService.register { MockService() }
        #expect(
            MyContainer.shared.commonService() is MockService, "a registration applies to its container")
        #expect(Container.shared.commonService() is MyService, "a registration does not apply to other containers")
        #expect(Container.shared.manager !== MyContainer.shared.manager, "each container has its own manager")
    }
}
