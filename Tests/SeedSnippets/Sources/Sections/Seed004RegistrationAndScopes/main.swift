import Claims
import GlassContainer
import SampleServices

await Claims.check { claim in
    let (containerA, service1, service2) = services()
    claim("the container that was told makes the mock", service1 is MockService)
    claim("the other one does not", service2 is MyService)
    claim("each keeps its own", containerA.cachedService() === service1)
    claim("and the other its own", MyContainer.shared.cachedService() === service2)

    containerA.manager.reset(options: .scope)
    claim("clearing one cache makes a new instance there", containerA.cachedService() !== service1)
    claim("and has no effect elsewhere", MyContainer.shared.cachedService() === service2)
}
