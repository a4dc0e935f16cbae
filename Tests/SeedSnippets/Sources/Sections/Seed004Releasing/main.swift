import Claims
import GlassContainer
import SampleServices

await Claims.check { claim in
    let services = released()
    claim("a container keeps its instance", services[0] === services[1])
    claim("a new container makes another", services[1] !== services[2])
    claim("and keeps that", services[2] === services[3])

    var container = MyContainer()
    container.cachedService.register { MockService() }
    weak let old: MyContainer? = container
    weak let kept: (any ServiceType)? = container.cachedService()
    claim("what only the container holds is there as long as it is", kept is MockService)
    container = MyContainer()
    claim("a container that is replaced is released", old == nil)
    claim("with what it kept", kept == nil)
    claim("and with its registrations", container.cachedService() is MyService)
}
