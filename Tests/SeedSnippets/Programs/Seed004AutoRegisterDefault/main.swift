import GlassContainer
import ModuleP

await Claims.check { claim in
    claim("the function ran before the first resolution", MyContainer.shared.someService().origin == "ModuleB")
    claim("of whatever service that is", MyContainer().first().origin == "ModuleB")

    let container = MyContainer()
    container.someService.register { PlainService(origin: "later") }
    claim("what is registered later holds, even before the first resolution", container.someService().origin == "later")
    _ = container.first()
    claim("the function runs once", container.someService().origin == "later")
    container.reset(options: .scope)
    claim("clearing the caches does not run it again", container.someService().origin == "later")
    container.reset(options: .registration)
    claim("resetting the registrations does", container.someService().origin == "ModuleB")
    container.someService.register { PlainService(origin: "later") }
    container.reset()
    claim("and so does resetting everything", container.someService().origin == "ModuleB")
}
