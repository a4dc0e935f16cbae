import GlassContainer
import ModuleP

await Claims.check { claim in
    claim("the function ran before the first resolution", MyContainer.shared.someService().origin == "ModuleB")
    claim("whichever service is resolved first", MyContainer().first().origin == "ModuleB")

    let container = MyContainer()
    container.someService.register { PlainService(origin: "later") }
    claim(
        "a later registration takes precedence, even before the first resolution",
        container.someService().origin == "later")
    _ = container.first()
    claim("the function runs once", container.someService().origin == "later")
    container.reset(options: .scope)
    claim("clearing the caches does not run it again", container.someService().origin == "later")
    container.reset(options: .registration)
    claim("resetting the registrations runs it again", container.someService().origin == "ModuleB")
    container.someService.register { PlainService(origin: "later") }
    container.reset()
    claim("resetting everything runs it again", container.someService().origin == "ModuleB")
}
