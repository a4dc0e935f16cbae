import GlassContainer
import GlassContainerTesting
import SampleServices
import Testing

/// A container in which two services are replaced and created.
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
    @MainActor @Test func claimsHold() {
        var container = replaced()
        resetFactory(of: container)
        #expect(container.myService() is MyService, "resetting a factory restores its definition")
        #expect(container.yourService() is MockService, "resetting a factory keeps the others")

        container = replaced()
        resetManager(of: container)
        #expect(container.myService() is MyService, "resetting the manager restores one factory")
        #expect(container.yourService() is MyService, "resetting the manager restores the others")

        container = replaced()
        let mine = container.myService()
        resetContainer(container)
        #expect(container.myService() is MyService, "resetting the container does the same")
        #expect(container.yourService() is MyService, "resetting the container applies to all")
        #expect(mine is MockService && mine !== container.myService(), "services resolved before are unchanged")

        let shared = Container.shared
        shared.myService.register { MockService() }
        let mock = shared.myService()
        resetRegistrations()
        #expect(shared.myService() === mock, "resetting registrations keeps the caches")
        resetScopes()
        #expect(shared.myService() is MyService, "resetting scopes then reveals the definition")

        shared.myService.register { MockService() }
        let before = shared.myService()
        resetScopes()
        #expect(shared.myService() !== before, "resetting scopes drops cached instances")
        #expect(shared.myService() is MockService, "resetting scopes keeps the registrations")

        let cached = shared.myService()
        let held = shared.sharedService()
        resetCached()
        #expect(shared.myService() !== cached, "resetting one scope drops its cached instances")
        #expect(shared.sharedService() === held, "resetting one scope keeps the other scopes")
        #expect(shared.myService() is MockService, "resetting one scope keeps the registrations")
    }
}
