import Claims
import GlassContainer
import SampleServices

private final class Lazy {
    @LazyInjected(\MyContainer.cachedService) var cachedService
}

private final class Weak {
    @WeakLazyInjected(\MyContainer.cachedService) var cachedService
}

await Claims.check { claim in
    let model = ContentViewModel()
    claim("the property is the shared container's instance", model.cachedService === MyContainer.shared.cachedService())
    claim("two owners share it", ContentViewModel().cachedService === model.cachedService)
    claim("an owner that resolves late has it, too", Lazy().cachedService === model.cachedService)
    claim("and one that does not hold it", Weak().cachedService === model.cachedService)

    let before = model.cachedService
    MyContainer.shared.reset()
    claim("a reset leaves what is resolved", model.cachedService === before)
    claim("and a new owner gets a new one", ContentViewModel().cachedService !== before)
}
