import Claims
import GlassContainer
import SampleServices

private struct Screen {
    let service: MyServiceType

    init(root: Container) {
        service = root.service()
    }
}

await Claims.check { claim in
    claim("there is one shared container", Container.shared === Container.shared)
    claim("it is a service locator", resolved() is MyService)
    Container.shared.service.register { MockService() }
    claim("what it is told holds wherever it is used", resolved() is MockService)
    claim("it may be passed along as the root", Screen(root: .shared).service is MockService)
}
