import GlassContainer
import GlassContainerTesting
import ModuleP
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed004AutoRegisterTests {
    @MainActor @Test func claimsHold() {
        #expect(MyContainer.shared.someService().origin == "ModuleB", "the function ran before the first resolution")
        #expect(MyContainer().first().origin == "ModuleB", "whichever service is resolved first")

        let container = MyContainer()
        container.someService.register { PlainService(origin: "later") }
        #expect(
            container.someService().origin == "later",
            "a later registration takes precedence, even before the first resolution")
        _ = container.first()
        #expect(container.someService().origin == "later", "the function runs once")
        container.reset(options: .scope)
        #expect(container.someService().origin == "later", "clearing the caches does not run it again")
        container.reset(options: .registration)
        #expect(container.someService().origin == "ModuleB", "resetting the registrations runs it again")
        container.someService.register { PlainService(origin: "later") }
        container.reset()
        #expect(container.someService().origin == "ModuleB", "resetting everything runs it again")
    }
}
