import GlassContainer
import GlassContainerTesting
import IndependentModuleP
import Services
import Testing

private struct Loader: AccountLoading {
    func load() -> [Account] { [Account(name: "checking")] }
}

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed003SeparatingDependenciesTests {
    @MainActor @Test func theClaimsHold() {
        #expect(Container.shared.accountLoading() == nil, "the registration of the services' module is empty")
        Container.shared.accountLoading.register { Loader() }
        #expect(Container.shared.accountLoading()?.load() == [Account(name: "checking")], "the application fills it")
    }
}
