import GlassContainer
import GlassContainerTesting
import ModuleP
import Testing

private struct Loader: AccountLoading {
    func load() -> [Account] { [Account(name: "checking")] }
}

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed003DifferentModuleTests {
    @MainActor @Test func claimsHold() {
        #expect(Container.shared.accountLoading() == nil, "no loader is registered")
        Container.shared.accountLoading.register { Loader() }
        #expect(Container.shared.accountLoading()?.load().count == 1, "another module can register a loader")
        Container.shared.accountLoading.reset()
        #expect(Container.shared.accountLoading() == nil, "the definition is still there")
    }
}
