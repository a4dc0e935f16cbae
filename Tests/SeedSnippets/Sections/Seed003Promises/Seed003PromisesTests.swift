import GlassContainer
import GlassContainerTesting
import IndependentModuleP
import Testing

private struct Loader: AccountLoading {
    func load() -> [Account] { [Account(name: "checking")] }
}

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed003PromisesTests {
    @MainActor @Test func claimsHold() {
        Container.shared.accountLoading.register { Loader() }
        #expect(
            Container.shared.accountLoading()?.load().count == 1, "a fulfilled promise behaves like any other factory")
        #expect(Container().accountLoading.scope === Scope.unique, "the definition alone resolves nothing")
    }

    #if DEBUG
        @Test func brokenPromiseTrapsInDebug() async throws {
            let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = Container.shared.accountLoading()
            }
            #expect(result.exitStatus.isSignal)
            let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
            #expect(errors.contains("accountLoading"))
            #expect(errors.contains("was promised at Seed003Promises/Snippet.swift:8 but never registered"))
        }
    #else
        @Test func brokenPromiseIsNilInRelease() {
            #expect(Container.shared.accountLoading() == nil)
        }
    #endif
}

extension ExitStatus {
    fileprivate var isSignal: Bool {
        if case .signal = self { true } else { false }
    }
}
