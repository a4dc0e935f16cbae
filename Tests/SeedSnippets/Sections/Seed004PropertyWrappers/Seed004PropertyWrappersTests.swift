import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

private final class Lazy {
    @LazyInjected(\MyContainer.cachedService) var cachedService
}

private final class Weak {
    @WeakLazyInjected(\MyContainer.cachedService) var cachedService
}

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004PropertyWrappersTests {
    @MainActor @Test func theClaimsHold() {
        let model = ContentViewModel()
        #expect(
            model.cachedService === MyContainer.shared.cachedService(),
            "the property is the shared container's instance")
        #expect(ContentViewModel().cachedService === model.cachedService, "two owners share it")
        #expect(Lazy().cachedService === model.cachedService, "an owner that resolves late has it, too")
        #expect(Weak().cachedService === model.cachedService, "and one that does not hold it")

        let before = model.cachedService
        MyContainer.shared.reset()
        #expect(model.cachedService === before, "a reset leaves what is resolved")
        #expect(ContentViewModel().cachedService !== before, "and a new owner gets a new one")
    }
}
