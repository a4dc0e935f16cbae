import Claims
import GlassContainer
import ModuleB
import ModuleP

if CommandLine.arguments.contains("unregistered") {
    ViewModel().load()
}

await Claims.check { claim in
    Container.shared.accountLoading.register { AccountLoader() }
    let model = ViewModel()
    model.load()
    claim("with a loader there are accounts", model.accounts.map(\.name) == ["checking", "savings"])
}
