import GlassContainer
import GlassContainerTesting
import ModuleB
import ModuleP
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed003OptionalsTests {
    @MainActor @Test func claimsHold() {
        let unwired = ViewModel()
        unwired.load()
        #expect(unwired.accounts.isEmpty, "without a loader, there are no accounts, and nothing traps")
        #expect(unwired.loader == nil, "without a loader, the property is nil")

        Container.shared.accountLoading.register { AccountLoader() }
        let wired = ViewModel()
        wired.load()
        #expect(wired.accounts.map(\.name) == ["checking", "savings"], "with a loader, there are accounts")
        unwired.load()
        #expect(unwired.accounts.isEmpty, "a property is resolved when its owner is created")
    }
}
