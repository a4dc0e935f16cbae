import Claims
import GlassContainer
import SampleServices

await Claims.check { claim in
    let container = Container()
    claim("the factory makes the service when asked", container.service() is MyService)
    claim("the scope is unique unless something else is said", container.service.scope === Scope.unique)
    claim("a unique service is made anew", container.service() !== container.service())
}
