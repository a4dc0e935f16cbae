import Claims
import GlassContainer
import SampleServices

extension Container {
    fileprivate var myService: Factory<MyServiceType> { self { MyService() }.cached }
}

await Claims.check { claim in
    let container = Container()
    let before = container.myService()

    container.manager.push()
    container.myService.register { MockService() }
    claim("after a push, registrations count", container.myService() is MockService)
    container.manager.push()
    container.manager.reset()
    claim("pushes nest", container.myService() is MyService && container.myService() !== before)
    container.manager.pop()
    claim("a pop brings back the registrations", container.myService() is MockService)
    container.manager.pop()
    claim("and what was kept", container.myService() === before)
}
