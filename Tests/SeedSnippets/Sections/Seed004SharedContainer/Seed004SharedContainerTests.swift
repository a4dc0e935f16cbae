import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004SharedContainerTests {
    @MainActor @Test func theClaimsHold() {
        let (common1, common2) = common()
        #expect(common1 is MyService && common2 is MyService, "every container has the factory")
        #expect(common1 !== common2, "each makes its own")

        MyContainer.shared.commonService.register { MockService() }
        #expect(
            MyContainer.shared.commonService() is MockService, "a registration holds for the container it was made on")
        #expect(Container.shared.commonService() is MyService, "and for no other one")
        #expect(Container.shared.manager !== MyContainer.shared.manager, "each has a manager of its own")
    }
}
