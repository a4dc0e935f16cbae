import Claims
import GlassContainer
import ModuleB
import ModuleP

await Claims.check { claim in
    let unwired = ViewModel()
    unwired.load()
    claim("without a loader there are no accounts, and nothing stops", unwired.accounts.isEmpty)
    claim("without a loader the property is nil", unwired.loader == nil)

    Container.shared.accountLoading.register { AccountLoader() }
    let wired = ViewModel()
    wired.load()
    claim("with a loader there are", wired.accounts.map(\.name) == ["checking", "savings"])
    unwired.load()
    claim("a property is resolved when its owner is made", unwired.accounts.isEmpty)
}
