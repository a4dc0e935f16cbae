import Claims
import GlassContainer
import ModuleP

private struct Loader: AccountLoading {
    func load() -> [Account] { [Account(name: "checking")] }
}

await Claims.check { claim in
    claim("nobody has registered a loader", Container.shared.accountLoading() == nil)
    Container.shared.accountLoading.register { Loader() }
    claim("who knows a loader registers it", Container.shared.accountLoading()?.load().count == 1)
    Container.shared.accountLoading.reset()
    claim("the definition is still there", Container.shared.accountLoading() == nil)
}
