import Claims
import GlassContainer
import SampleServices

/// A container where two services are replaced and made.
private func replaced() -> Container {
    let container = Container()
    container.myService.register { MockService() }
    container.yourService.register { MockService() }
    _ = container.myService()
    _ = container.yourService()
    return container
}

await Claims.check { claim in
    var container = replaced()
    resetFactory(of: container)
    claim("resetting a factory brings its definition back", container.myService() is MyService)
    claim("and leaves the others", container.yourService() is MockService)

    container = replaced()
    resetManager(of: container)
    claim("resetting the manager brings one back", container.myService() is MyService)
    claim("and the others", container.yourService() is MyService)

    container = replaced()
    let mine = container.myService()
    resetContainer(container)
    claim("resetting the container does the same", container.myService() is MyService)
    claim("for all", container.yourService() is MyService)
    claim("what was resolved before is as it was", mine is MockService && mine !== container.myService())

    let shared = Container.shared
    shared.myService.register { MockService() }
    let mock = shared.myService()
    resetRegistrations()
    claim("resetting registrations leaves the caches", shared.myService() === mock)
    resetScopes()
    claim("resetting scopes then shows the definition", shared.myService() is MyService)

    shared.myService.register { MockService() }
    let before = shared.myService()
    resetScopes()
    claim("resetting scopes drops what is kept", shared.myService() !== before)
    claim("and leaves the registrations", shared.myService() is MockService)

    let cached = shared.myService()
    let held = shared.sharedService()
    resetCached()
    claim("resetting one scope drops what it keeps", shared.myService() !== cached)
    claim("and leaves the other scopes", shared.sharedService() === held)
    claim("and the registrations", shared.myService() is MockService)
}
