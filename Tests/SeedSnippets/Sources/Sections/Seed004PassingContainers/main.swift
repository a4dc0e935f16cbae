import Claims
import GlassContainer
import SampleServices

await Claims.check { claim in
    let container = Container()
    container.service.register { MockService() }
    claim("a view model resolves from its container", ContentViewModel(container: container).service2 is MockService)
    claim("and not from another one", ContentViewModel(container: .shared).service2 is MyService)
}
