import Claims
import GlassContainer
import SampleServices

await Claims.check { claim in
    let container = Container()
    claim("the template is a container like the one that comes with the library", container.service() is MyService)
    claim("two containers keep instances of their own", container.service() !== Container.shared.service())
    container.service.register { MockService() }
    claim("and registrations of their own", container.service() is MockService)
    claim("the other one is as it was", Container.shared.service() is MyService)
    claim("it hides the library's and does not become it", Container.self != GlassContainer.Container.self)
    claim(
        "both are what functions for any container take",
        [container as any SharedContainer, GlassContainer.Container.shared].count == 2)
}
