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
    @MainActor @Test func claimsHold() {
        let model = ContentViewModel()
        #expect(
            model.cachedService === MyContainer.shared.cachedService(),
            "the property is the shared container's instance")
        #expect(ContentViewModel().cachedService === model.cachedService, "two owners share the instance")
        #expect(Lazy().cachedService === model.cachedService, "an owner that resolves lazily has the same instance")
        #expect(Weak().cachedService === model.cachedService, "an owner with a weak reference has the same instance")

        let before = model.cachedService
        MyContainer.shared.reset()
        #expect(model.cachedService === before, "a reset keeps resolved values")
        #expect(ContentViewModel().cachedService !== before, "after a reset, a new owner gets a new instance")
    }
}
