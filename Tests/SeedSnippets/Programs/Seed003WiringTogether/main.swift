import GlassContainer
import ModuleA
import ModuleB
import ModuleP

await Claims.check { claim in
    claim("the module that lists accounts has the loader before anything else runs", AccountList().names?.count == 2)
    claim("the loader is the other module's", Container.shared.accountLoading() is AccountLoader)
    claim("another container is also wired", Container().accountLoading() is AccountLoader)

    let container = Container()
    container.accountLoading.register { nil }
    claim("a later registration takes precedence", container.accountLoading() == nil)
}
