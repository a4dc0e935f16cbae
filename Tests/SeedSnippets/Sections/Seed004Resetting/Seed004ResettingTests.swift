import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

/// A container where two services are replaced and made.
private func replaced() -> Container {
    let container = Container()
    container.myService.register { MockService() }
    container.yourService.register { MockService() }
    _ = container.myService()
    _ = container.yourService()
    return container
}

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004ResettingTests {
    @MainActor @Test func theClaimsHold() {
        var container = replaced()
        resetFactory(of: container)
        #expect(container.myService() is MyService, "resetting a factory brings its definition back")
        #expect(container.yourService() is MockService, "and leaves the others")

        container = replaced()
        resetManager(of: container)
        #expect(container.myService() is MyService, "resetting the manager brings one back")
        #expect(container.yourService() is MyService, "and the others")

        container = replaced()
        let mine = container.myService()
        resetContainer(container)
        #expect(container.myService() is MyService, "resetting the container does the same")
        #expect(container.yourService() is MyService, "for all")
        #expect(mine is MockService && mine !== container.myService(), "what was resolved before is as it was")

        let shared = Container.shared
        shared.myService.register { MockService() }
        let mock = shared.myService()
        resetRegistrations()
        #expect(shared.myService() === mock, "resetting registrations leaves the caches")
        resetScopes()
        #expect(shared.myService() is MyService, "resetting scopes then shows the definition")

        shared.myService.register { MockService() }
        let before = shared.myService()
        resetScopes()
        #expect(shared.myService() !== before, "resetting scopes drops what is kept")
        #expect(shared.myService() is MockService, "and leaves the registrations")

        let cached = shared.myService()
        let held = shared.sharedService()
        resetCached()
        #expect(shared.myService() !== cached, "resetting one scope drops what it keeps")
        #expect(shared.sharedService() === held, "and leaves the other scopes")
        #expect(shared.myService() is MockService, "and the registrations")
    }
}
