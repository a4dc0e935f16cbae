import GlassContainer
import GlassContainerTesting
import ModuleB
import ModuleP
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed003UnwrappedOptionalsTests {
    @MainActor @Test func claimsHold() {
        Container.shared.accountLoading.register { AccountLoader() }
        let model = ViewModel()
        model.load()
        #expect(model.accounts.map(\.name) == ["checking", "savings"], "with a loader, there are accounts")
    }

    @Test func unwrappedOptionalTrapsWithoutRegistration() async throws {
        let result = try await #require(processExitsWith: .failure) { ViewModel().load() }
        #expect(result.exitStatus.isSignal)
    }
}

extension ExitStatus {
    fileprivate var isSignal: Bool {
        if case .signal = self { true } else { false }
    }
}
