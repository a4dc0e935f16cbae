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
    @MainActor @Test func claimsHold() {
        #expect(Container.shared.accountLoading() == nil, "the services' module registers nothing")
        Container.shared.accountLoading.register { Loader() }
        #expect(
            Container.shared.accountLoading()?.load() == [Account(name: "checking")],
            "the app provides the registration")
    }
}
