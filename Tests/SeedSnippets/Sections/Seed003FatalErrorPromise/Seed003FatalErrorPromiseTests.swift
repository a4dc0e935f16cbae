import GlassContainer
import GlassContainerTesting
import IndependentModuleP
import Testing

private struct Loader: AccountLoading {
    func load() -> [Account] { [Account(name: "checking")] }
}

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed003FatalErrorPromiseTests {
    @MainActor @Test func claimsHold() {
        Container.shared.accountLoading.register { Loader() }
        #expect(
            Container.shared.accountLoading()?.load().count == 1, "a fulfilled promise behaves like any other factory")
        #expect(Container().accountLoading.scope === Scope.unique, "the definition alone resolves nothing")
    }

    @Test func factoryThatTrapsDoesSoInEveryBuild() async throws {
        let result = try await #require(processExitsWith: .failure) { _ = Container.shared.accountLoading() }
        #expect(result.exitStatus.isSignal)
    }
}

extension ExitStatus {
    fileprivate var isSignal: Bool {
        if case .signal = self { true } else { false }
    }
}
