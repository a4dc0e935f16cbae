import Claims
import GlassContainer
import SampleServices

await Claims.check { claim in
    claim("the shared instance is one", MyContainer.shared === MyContainer.shared)
    claim("its cached service is one", MyContainer.shared.cachedService() === MyContainer.shared.cachedService())
    claim("of the declared kind", MyContainer.shared.cachedService() is MyService)
    claim("a new container has another", MyContainer().cachedService() !== MyContainer.shared.cachedService())
}
