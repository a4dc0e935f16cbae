import Claims
import GlassContainer
import IndependentModuleP

private struct Loader: AccountLoading {
    func load() -> [Account] { [Account(name: "checking")] }
}

if CommandLine.arguments.contains("unregistered") {
    let loader = Container.shared.accountLoading()
    print(loader == nil ? "nil" : "a loader")
} else {
    await Claims.check { claim in
        Container.shared.accountLoading.register { Loader() }
        claim("a promise that is kept is like any other factory", Container.shared.accountLoading()?.load().count == 1)
        claim("the definition alone resolves nothing", Container().accountLoading.scope === Scope.unique)
    }
}
