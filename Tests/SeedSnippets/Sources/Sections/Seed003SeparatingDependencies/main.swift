import Claims
import GlassContainer
import IndependentModuleP
import Services

private struct Loader: AccountLoading {
    func load() -> [Account] { [Account(name: "checking")] }
}

await Claims.check { claim in
    claim("the registration of the services' module is empty", Container.shared.accountLoading() == nil)
    Container.shared.accountLoading.register { Loader() }
    claim("the application fills it", Container.shared.accountLoading()?.load() == [Account(name: "checking")])
}
